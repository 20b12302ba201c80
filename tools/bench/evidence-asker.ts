import { setTimeout as sleep } from 'node:timers/promises';
import { EVIDENCE_ENTRIES_MAX } from '#api/wallets/wallet-terms';
import { childOptions, serveParent } from './support/children.js';

/** Whom a process asks for evidence of a wallet. */
export interface AskerRole {
  readonly url: string;
  readonly token: string;
  readonly wallet: string;
}

/** One is asked for so often. */
const EVIDENCE_EVERY_MS = 1_000;

/** Times of a round; null between rounds. */
let round: { readonly tookMs: number[]; readonly done: Promise<void> } | null = null;
let ended = new AbortController();

/** A caller of its own process, so that its work on long answers delays no measured caller. */
const role = childOptions<AskerRole>();
serveParent({}, { begin, end }, async () => {});

function begin(): void {
  ended = new AbortController();
  const tookMs: number[] = [];
  round = { tookMs, done: askUntilEnded(tookMs, ended.signal) };
}

/** Returns the longest time that an answer of the round took, in ms. */
async function end(): Promise<number> {
  ended.abort();
  await round?.done;
  return Math.max(...(round?.tookMs ?? []));
}

async function askUntilEnded(tookMs: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedMs = performance.now();
    const text = await ask();
    const took = performance.now() - startedMs;
    tookMs.push(took);
    checkEvidence(text);
    await sleep(Math.max(0, EVIDENCE_EVERY_MS - took), undefined, { signal }).catch(() => undefined);
  }
}

async function ask(): Promise<string> {
  const { url, token, wallet } = role;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/preflight_copy?wallet=${wallet}&evidence=1`, { headers });
  return response.text();
}

function checkEvidence(text: string): void {
  const listed = JSON.parse(text).evidence?.payload?.basis?.entries?.token?.length;
  if (listed !== EVIDENCE_ENTRIES_MAX) throw new Error(`evidence of ${listed} entries: ${text.slice(0, 300)}`);
}
