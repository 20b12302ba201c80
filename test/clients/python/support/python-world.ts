import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Context } from 'mocha';
import { privateKeyToAccount } from 'viem/accounts';
import { systemClock } from '#adapters/process/system-clock';
import type { OrderVerdict } from '#api/order-verdict';
import type { GuardLine } from '#client/guard/state/guard-line';
import { readGuardLog } from '#client/guard/state/guard-log';
import { compose, type Service } from '#compose/compose';
import { openCredits } from '#compose/credits';
import { readLocalConfig } from '#config/config';
import { toWallet } from '#domain/ids';
import { freeLowPort } from '#local/free-low-port';
import { type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { createLogger } from '#server/log';
import { type OrderDoor, startOrderDoor } from '#test/client/guard/support/order-door';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { type Run, runProgram } from '#test/support/run-program';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { WAIT_MS } from '#test/support/time-limits';

export const GUARD_FILE = join(ROOT, 'clients/python/preflight_guard.py');
const DRIVER = join(ROOT, 'test/clients/python/support/drive_guard.py');
const SIGNER = privateKeyToAccount(`0x${'5e'.repeat(32)}`);
const ZERO = `0x${'00'.repeat(32)}` as const;
const CREDITS = 10_000;

/** The client of the venue, and what its caller has. */
const PRINTED_BEFORE = `
import os
import stand_in_client
from stand_in_client import MarketOrderArgs

class ClobClient(stand_in_client.ClobClient):
    def __init__(self, host, chain_id, key=None, creds=None):
        super().__init__(host, os.environ["SIGNER"])

host, chain_id, key, creds = os.environ["DOOR"], 137, None, None
token_id = os.environ["TOKEN_ID"]
`;

/** How a step of the driver ended. */
export interface Ended {
  readonly answer?: unknown;
  /** Name of the exception. */
  readonly error?: string;
  readonly message?: string;
  readonly rule?: string;
  readonly reason_codes?: readonly string[];
  readonly status_code?: number | null;
  readonly verdict?: string | null;
}

/** What the driver prints. */
export interface Driven {
  readonly results: readonly Ended[];
  readonly warnings: readonly string[];
  /** Members of the caller's order that are others than before. */
  readonly changed: readonly string[];
  readonly secrets_read_by: readonly string[];
  readonly retry_on_error: boolean;
  readonly is_client: boolean;
}

export type Step = readonly [name: string, given: Readonly<Record<string, unknown>>];

export interface Spec {
  readonly guard?: Readonly<Record<string, unknown>>;
  readonly client?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Skips where there is no Python with requests. */
export function needPython(test: Context): void {
  const { status } = spawnSync('python3', ['-c', 'import requests']);
  if (status !== 0) skipLoudly(test, 'python3 with requests is missing: apt-get install python3-requests');
}

/**
 * The whole service on a venue whose books move only when told to, paid from credits, a line to its
 * order door, and what signs for a client that has no library for it.
 */
export class PythonWorld {
  readonly door: OrderDoor;
  home = '';
  readonly #venue: LocalVenue;
  readonly #service: Service;
  readonly #signer: LoopbackServer;
  readonly #url: string;
  readonly #token: string;

  private constructor(parts: {
    readonly venue: LocalVenue;
    readonly service: Service;
    readonly signer: LoopbackServer;
    readonly door: OrderDoor;
    readonly url: string;
    readonly token: string;
  }) {
    this.#venue = parts.venue;
    this.#service = parts.service;
    this.#signer = parts.signer;
    this.door = parts.door;
    this.#url = parts.url;
    this.#token = parts.token;
    this.reset();
  }

  static async start(): Promise<PythonWorld> {
    const dataDir = tempFolder('python');
    const module = openCredits(dataDir);
    const { token } = await module.credits.grant(toWallet(SIGNER.address), CREDITS, 1, '');
    await module.store.close();
    const venue = await startLocalVenue({ clock: systemClock, tickMs: 0 });
    const config = readLocalConfig({ PORT: String(await freeLowPort()), DATA_DIR: dataDir, WALLET_JOBS: 'off' });
    const { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl } = venue;
    const service = await compose(
      { ...config, payee: toWallet(SIGNER.address), venue: { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl } },
      createLogger('silent', { write: () => {} }),
    );
    await service.start();
    const door = await startOrderDoor(clobUrl);
    const signer = await startSigner();
    return new PythonWorld({ venue, service, signer, door, url: config.baseUrl, token: token! });
  }

  /** New state, as on another machine. */
  reset(): void {
    this.home = join(tempFolder('python-guard'), 'state');
  }

  token(slug: string): string {
    return this.#venue.markets.find((market) => market.slug === slug)!.outcomes[0]!.tokenId;
  }

  /** Runs a program that a page prints, with the names that it takes for granted, and then prints "ran". */
  runPrinted(text: string, slug: string): Promise<Run> {
    const program = `${PRINTED_BEFORE}${text.replaceAll('https://preflight.example', this.#url)}\nprint("ran")\n`;
    const folders = [dirname(GUARD_FILE), dirname(DRIVER)].join(':');
    const own = { PYTHONPATH: folders, DOOR: this.door.url, SIGNER: this.#signer.baseUrl, TOKEN_ID: this.token(slug) };
    return runProgram('python3', ['-c', program], { env: { ...this.env(), ...own }, timeout: WAIT_MS });
  }

  /** Starts the driver and waits for its end. */
  run(steps: readonly Step[], { guard = {}, client = {}, env = {} }: Spec = {}): Promise<Run> {
    const spec = { door: this.door.url, signer: this.#signer.baseUrl, guard, client, steps };
    return runProgram('python3', [DRIVER, JSON.stringify(spec)], {
      env: { ...this.env(), ...env },
      timeout: WAIT_MS,
      killSignal: 'SIGTERM',
    });
  }

  async drive(steps: readonly Step[], spec: Spec = {}): Promise<Driven> {
    const { exitCode, stdout, stderr } = await this.run(steps, spec);
    if (exitCode !== 0) throw new Error(`the driver ended with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout) as Driven;
  }

  env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      PREFLIGHT_HOME: this.home,
      PREFLIGHT_URL: this.#url,
      PREFLIGHT_TOKEN: this.#token,
      PYTHONDONTWRITEBYTECODE: '1',
    };
  }

  async verdict(order: Readonly<Record<string, unknown>>): Promise<OrderVerdict> {
    const answer = await fetch(`${this.#url}/api/preflight_trade`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` },
      body: JSON.stringify(order),
    });
    return (await answer.json()) as OrderVerdict;
  }

  log<Kind extends GuardLine['kind']>(kind: Kind): readonly Extract<GuardLine, { readonly kind: Kind }>[] {
    const lines = readGuardLog(join(this.home, 'orders', 'default', 'log'), 0);
    return lines.filter((line) => line.kind === kind) as Extract<GuardLine, { readonly kind: Kind }>[];
  }

  async stop(): Promise<void> {
    await this.door.close();
    await this.#signer.close();
    await this.#service.stop();
    await this.#venue.close();
  }
}

const ORDER = [
  ['salt', 'uint256'],
  ['maker', 'address'],
  ['signer', 'address'],
  ['tokenId', 'uint256'],
  ['makerAmount', 'uint256'],
  ['takerAmount', 'uint256'],
  ['side', 'uint8'],
  ['signatureType', 'uint8'],
  ['timestamp', 'uint256'],
  ['metadata', 'bytes32'],
  ['builder', 'bytes32'],
].map(([name, type]) => ({ name: name!, type: type! }));
const EXCHANGES = {
  plain: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRisk: '0xe2222d279d744050d28e00520010520000310F59',
} as const;

interface Unsigned {
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly makerAmount: string;
  readonly takerAmount: string;
}

/** Signs what it is sent, for the exchange of the market. */
async function startSigner(): Promise<LoopbackServer> {
  const server = await startLoopbackServer();
  let salt = Date.now();
  server.answer(async ({ body }, response) => {
    const { order, negRisk } = JSON.parse(body) as { readonly order: Unsigned; readonly negRisk: boolean };
    const { address } = SIGNER;
    const common = { maker: address, signer: address, signatureType: 0, metadata: ZERO, builder: ZERO };
    const whole = { ...common, ...order, salt: ++salt, timestamp: String(Date.now()) };
    const numbers = [whole.salt, whole.tokenId, whole.makerAmount, whole.takerAmount, whole.timestamp].map(BigInt);
    const [saltOf, tokenId, makerAmount, takerAmount, timestamp] = numbers as [bigint, bigint, bigint, bigint, bigint];
    const signature = await SIGNER.signTypedData({
      domain: {
        name: 'Polymarket CTF Exchange',
        version: '2',
        chainId: 137,
        verifyingContract: negRisk ? EXCHANGES.negRisk : EXCHANGES.plain,
      },
      types: { Order: ORDER },
      primaryType: 'Order',
      message: {
        ...common,
        salt: saltOf,
        tokenId,
        makerAmount,
        takerAmount,
        timestamp,
        side: order.side === 'BUY' ? 0 : 1,
      },
    });
    sendJson(response, { ...whole, expiration: '0', signature });
  });
  return server;
}
