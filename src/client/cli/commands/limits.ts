import { type Command, Option } from 'commander';
import type { WalletAddress } from '#domain/ids';
import { walletOfToken } from '../../purchase/spender.js';
import type { Purchase } from '../../state/purchase.js';
import { readSpending } from '../../state/read-spending.js';
import { DEFAULT_LIMITS } from '../../terms/limits.js';
import type { Cli } from '../cli.js';
import { stateOf } from '../client.js';
import { readCredentials } from '../credentials.js';
import { moment } from '../draw/figures.js';
import { drawSpending, type Spending } from '../draw/spending.js';
import { EXIT } from '../exit-codes.js';
import {
  type LimitOptions,
  limitsOf,
  wallet,
  withJson,
  withKeyOption,
  withLimitOptions,
  withTokenOption,
} from '../options.js';
import { UsageError } from '../usage-error.js';

type LimitsOptions = LimitOptions & {
  readonly payer?: WalletAddress;
  readonly keyFile?: string;
  readonly tokenFile?: string;
  readonly json?: true;
};

const HELP = `
Examples:
  $ preflight limits
  $ preflight limits --payer 0x55520a093ab91cf6206a3459eb4e8fec5c558788 --json`;

/** Adds `limits`: it asks nobody, and reads what is on disk. */
export function addLimitsCommand(program: Command, cli: Cli): void {
  const command = withLimitOptions(withTokenOption(withKeyOption(withJson(program.command('limits')))))
    .summary('caps, what was spent in 24 hours, open purchases')
    .description(
      'What a wallet may spend, what it spent in 24 hours, and which of its purchases are open. Works offline.',
    )
    .addOption(new Option('--payer <address>', 'whose; else the wallet of the key or token').argParser(wallet))
    .addHelpText('after', HELP);
  cli.run(command, async (options: LimitsOptions) => {
    const payer = options.payer ?? (await payerOf(options, cli));
    const limits = { ...DEFAULT_LIMITS, ...limitsOf(options) };
    const spending = { payer, limits, ...(await readSpending(stateOf(cli), payer)) };
    if (options.json) cli.printJson(JSON.stringify(toJson(spending)));
    else cli.print(drawSpending(spending, cli.frame));
    return EXIT.ok;
  });
}

async function payerOf(options: LimitsOptions, cli: Cli): Promise<string> {
  const { account, token } = await readCredentials(options, cli.world);
  const payer = account?.address.toLowerCase() ?? (token === undefined ? null : walletOfToken(token));
  if (payer === null) throw new UsageError('name the wallet: --payer 0x…, or the key or token that pays');
  return payer;
}

function toJson({ payer, limits, cents, packs, open, damaged }: Spending) {
  const { perCallMicros, dailyMicros, packsPerDay, authorizationS, payTo } = limits;
  return {
    ok: true,
    payer,
    limits: {
      usd_per_call_max: Number(perCallMicros) / 1e6,
      usd_per_day_max: Number(dailyMicros) / 1e6,
      packs_per_day_max: packsPerDay,
      authorization_seconds_max: authorizationS,
      ...(payTo === undefined ? {} : { payee: payTo }),
    },
    spent_24h: { usd: cents / 100, packs },
    open: open.map(purchaseJson),
    damaged: damaged.map(({ path, overAtMs }) => ({ file: path, chargeable_until: moment(overAtMs) })),
  };
}

/** What may be told of a purchase: nothing that can be used. */
function purchaseJson({ id, request, begunAtMs, lane }: Purchase) {
  const facts = { id, method: request.method, url: request.url, begun_at: moment(begunAtMs), lane: lane.kind };
  if (lane.kind === 'credits') return facts;
  const { value, validBefore } = lane.authorization;
  return {
    ...facts,
    usd: Number(value) / 1e6,
    signed: lane.signature !== null,
    chargeable_until: moment(Number(validBefore) * 1e3),
  };
}
