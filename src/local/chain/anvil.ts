import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithThisProcess } from '../end-with-this-process.js';
import { freeLowPort } from '../free-low-port.js';
import { CHAIN_ID } from './usdc.js';

/**
 * Blocks whose state can still be asked for, as of a full node of Base. Without a limit anvil fills
 * the user's home.
 */
const STATES_STORED = 128;
const START_MS_MAX = 15_000;
const LOOK_AGAIN_MS = 10;
const ANSWER_MS_MAX = 1_000;
/** As much of anvil's complaint as is worth repeating. */
const COMPLAINT_CHARS_MAX = 300;

/** A running anvil that ends when this process does, however it does. */
export interface Anvil {
  readonly rpcUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when it is gone, however it ended. */
  readonly exited: Promise<void>;
  /** Ends it at once: nothing of it is worth keeping but what was dumped before. */
  stop(): Promise<void>;
}

export type StartedAnvil =
  | { readonly kind: 'started'; readonly anvil: Anvil }
  | { readonly kind: 'unavailable'; readonly why: string };

export interface AnvilOptions {
  readonly path: string;
  /** Absent: any free one. */
  readonly port?: number;
}

/**
 * Starts an empty chain on loopback, without accounts, a block per transaction, and waits until it
 * answers.
 */
export async function startAnvil({ path, port: wanted }: AnvilOptions): Promise<StartedAnvil> {
  // Anvil cannot say which one it took when asked for any.
  const port = wanted ?? (await freeLowPort());
  const child = spawn(path, argumentsFor(port), {
    // Of its own group: Ctrl-C in a terminal must not end it before the last blocks are kept.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const complaint = collectComplaint(child);
  const exited = once(child, 'exit').then(
    () => {},
    () => {},
  );
  const rpcUrl = `http://127.0.0.1:${port}`;
  // A child that was never started has no process id: to kill it at once would be to kill whatever
  // stands where the id would be, which may be 0, and that is the group of this process.
  if (child.pid === undefined || !(await answers(rpcUrl, exited))) {
    if (child.pid !== undefined) child.kill('SIGKILL');
    return { kind: 'unavailable', why: `anvil at ${path} does not start: ${await complaint(exited)}.` };
  }
  const release = endWithThisProcess(child.pid, 'KILL');
  void exited.then(release);
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { kind: 'started', anvil: { rpcUrl, port, pid: child.pid, exited, stop } };
}

function argumentsFor(port: number): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(CHAIN_ID), '--accounts', '0', '--quiet'],
    ...['--prune-history', String(STATES_STORED), '--no-request-size-limit', '--no-cors'],
  ];
}

async function answers(rpcUrl: string, exited: Promise<void>): Promise<boolean> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  for (let waitedMs = 0; waitedMs < START_MS_MAX && !gone; waitedMs += LOOK_AGAIN_MS) {
    if (await hasChainId(rpcUrl)) return true;
    await sleep(LOOK_AGAIN_MS);
  }
  return false;
}

async function hasChainId(rpcUrl: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const answer = await fetch(rpcUrl, { method: 'POST', headers, body, signal }).catch(() => null);
  return answer?.ok === true;
}

function collectComplaint(child: ChildProcess): (exited: Promise<void>) => Promise<string> {
  let said = '';
  child.on('error', (error) => {
    said += error.message;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < COMPLAINT_CHARS_MAX) said += text;
  });
  return async (exited) => {
    await exited;
    return said.trim().replaceAll(/\s+/g, ' ').slice(0, COMPLAINT_CHARS_MAX) || 'it printed nothing';
  };
}
