import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeLowPort } from '#local/free-low-port';
import { SHORT_LIVED } from './short-lived.js';
import { ROOT } from './source-tree.js';
import { tempFolder } from './temp-folder.js';

/** local.json, as the local profile writes it for scripts. */
export interface LocalFacts {
  readonly url: string;
  /** null where no chain runs on this machine. */
  readonly rpcUrl: string | null;
  readonly facilitator: { readonly url: string; readonly controlUrl: string } | null;
  readonly payee: `0x${string}`;
  readonly demoWallet: { readonly address: `0x${string}`; readonly privateKey: `0x${string}` };
  readonly promoCode: string;
  readonly exampleSlug: string;
  readonly exampleOutcome: string;
  readonly exampleTokenId: string;
  readonly exampleWallets: Readonly<Record<'skilled' | 'loser' | 'unseen' | 'neverTraded', `0x${string}`>>;
  readonly venue: {
    readonly gammaUrl: string;
    readonly clobUrl: string;
    readonly dataUrl: string;
    readonly wsUrl: string;
    readonly rtdsUrl: string;
    readonly controlUrl: string;
  };
  /** Of a cluster alone. */
  readonly replicas?: readonly { readonly id: string; readonly url: string; readonly pid: number }[];
}

/** A running `npm start`, as a process of its own. */
export interface LocalProcess {
  readonly facts: LocalFacts;
  readonly dataDir: string;
  readonly port: number;
  readonly pid: number;
  /** What it printed so far. */
  output(): string;
  /** Resolves when it is gone: by which signal, or with which exit code. */
  readonly gone: Promise<NodeJS.Signals | number | null>;
  /** Sends the signal and waits for the end; returns the exit code (null: killed). */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export function newDataDir(): string {
  return tempFolder('data');
}

export interface LocalProcessOptions {
  readonly dataDir?: string;
  readonly port?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another program of the local profile. */
  readonly script?: string;
}

/** Starts the local profile, as `npm start` does, and waits until it says where it is. */
export async function startLocalProcess(given: LocalProcessOptions = {}): Promise<LocalProcess> {
  const {
    dataDir = newDataDir(),
    port = await freeLowPort(),
    args = [],
    script = 'dist/bundle/service/local.js',
  } = given;
  const { PATH, HOME, ANVIL_BIN } = process.env;
  // Recording and rating at the start would take the time of tests that are about something else.
  const env = { PATH, HOME, ANVIL_BIN, DATA_DIR: dataDir, PORT: String(port), WALLET_JOBS: 'off', ...given.env };
  const child = spawn(process.execPath, [...SHORT_LIVED, join(ROOT, script), ...args], { env });
  let printed = '';
  const note = (chunk: Buffer) => {
    printed += chunk.toString();
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const gone = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  await isUp(child, () => printed);
  return {
    facts: JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8')),
    dataDir,
    port,
    pid: child.pid!,
    output: () => printed,
    gone,
    end: (signal) => {
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      child.kill(signal);
      return child.exitCode === null && child.signalCode === null ? ended : Promise.resolve(child.exitCode);
    },
  };
}

function isUp(child: ChildProcess, printed: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the local profile ended with ${code}:\n${printed()}`)));
    const look = setInterval(() => {
      if (!printed().includes('Stop: Ctrl-C')) return;
      clearInterval(look);
      resolve();
    }, 20);
    child.once('exit', () => clearInterval(look));
  });
}

/** Redeems the local promo code for a wallet and returns its token. */
export async function redeemLocal({ url, promoCode }: LocalFacts, wallet: string): Promise<string> {
  const answer = await fetch(`${url}/api/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: promoCode, wallet }),
  });
  const body = (await answer.json()) as { token: string };
  if (answer.status !== 200) throw new Error(`redeem answered ${answer.status} ${JSON.stringify(body)}`);
  return body.token;
}
