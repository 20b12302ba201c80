import { isExampleInput } from '../calls/example-input.js';
import { fileState } from '../node/file-state.js';
import { stateHome } from '../node/home.js';
import { Preflight } from '../preflight.js';
import type { ClientState } from '../state/ports.js';
import type { Cli } from './cli.js';
import { type Credentials, readCredentials } from './credentials.js';
import { withoutSecrets } from './hide-secrets.js';
import { limitsOf, type PayingOptions, type ServiceOptions, serviceUrl } from './options.js';
import { plain } from './plain-text.js';
import { UsageError } from './usage-error.js';
import { ENV } from './world/world.js';

/** The client of a command, with what it was made from. */
export interface CommandClient {
  readonly preflight: Preflight;
  readonly baseUrl: string;
  readonly state: ClientState;
  /** null if calls are paid by an account, or are examples. */
  readonly token: string | null;
}

/** Returns the folder that is shared by all programs of this user. */
export function homeOf({ world }: Cli): string {
  return stateHome({ ...world.env });
}

export function stateOf(cli: Cli): ClientState {
  return fileState(homeOf(cli), cli.world.system.clock);
}

/** Returns a client for calls that are free. */
export function freeClient(cli: Cli, options: ServiceOptions, credentials: Credentials = {}): Preflight {
  return clientOf(cli, options, credentials).preflight;
}

/**
 * Returns a client for calls that are paid. Throws a UsageError if nothing is there to pay with: an
 * example is no answer, unless `asked` is an example itself.
 */
export async function payingClient(
  cli: Cli,
  options: PayingOptions,
  requested: Readonly<Record<string, unknown>> = {},
): Promise<CommandClient> {
  if (options.sandbox) return clientOf(cli, options, {});
  const credentials = await readCredentials(options, cli.world);
  if (credentials.account !== undefined || credentials.token !== undefined) return clientOf(cli, options, credentials);
  if (isExampleInput(requested)) return clientOf(cli, options, {});
  throw new UsageError(
    `this is paid. Give a private key (--key-file, ${ENV.keyFile} or ${ENV.key}) or a token (--token-file, ` +
      `${ENV.tokenFile} or ${ENV.token}), or see a free example with --sandbox`,
  );
}

/** Returns a client with these credentials. */
export function clientOf(
  cli: Cli,
  options: ServiceOptions & Partial<PayingOptions>,
  credentials: Credentials,
): CommandClient {
  const { system, signal } = cli.world;
  const baseUrl = serviceUrl(options, cli.world);
  const state = stateOf(cli);
  const preflight = new Preflight({
    baseUrl,
    limits: limitsOf(options),
    ledger: state,
    system,
    signal,
    onRetry: (why) => cli.note(withoutSecrets(plain(why))),
    ...credentials,
  });
  return { preflight, baseUrl, state, token: credentials.token ?? null };
}
