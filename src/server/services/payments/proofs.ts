import { type Backoff, backoffMs } from '#domain/backoff';
import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Exposure } from '#domain/payment/proof';
import type { Cursor } from '#ports/store';
import type { PaymentDeps } from './contract.js';
import { paymentIdOf } from './in-work.js';
import { checkProof } from './proof-check.js';

/** Payments of one page of the store, and checked at once. */
const PROOFS_PAGE = 200;
const PROOFS_AT_ONCE = 8;
/** Between two rounds; sooner after a payment was settled on a facilitator's word. */
const ROUND_INTERVAL_MS = 1_000;
const GATHER_MS = 50;
/** Between two looks for one payment: a transfer comes within a block, an outage takes longer. */
const RETRY: Backoff = { minMs: 1_000, maxMs: 30_000 };

type ProofsDeps = Pick<PaymentDeps, 'store' | 'chain' | 'clock' | 'timers' | 'random' | 'log' | 'meter'>;

/** What went out on facilitators' words, as of the last round. */
export interface ProofsReport {
  readonly facilitators: ReadonlyMap<string, Exposure>;
  /** How long the oldest answer has waited for its proof; null: none waits. */
  readonly oldestUnprovenMs: number | null;
  readonly lastRefutedAtMs: number | null;
}

interface Wait {
  readonly tries: number;
  /** By the clock that no one sets. */
  readonly dueAtMs: number;
}

/**
 * Checks by receipt what was settled on a facilitator's word, round by round and for ever. The rows
 * to be checked are an index of the store: a restart goes on where it was, and processes that share
 * a store may check the same row, for what they find out is written once.
 */
export class Proofs {
  readonly #deps: ProofsDeps;
  readonly #stopping = new AbortController();
  #nap = new AbortController();
  /** Rows that were looked at and have to be again. Holds nothing that is not in the index. */
  readonly #waits = new Map<PaymentKey, Wait>();
  #faults = 0;
  #report: ProofsReport = { facilitators: new Map(), oldestUnprovenMs: null, lastRefutedAtMs: null };

  constructor(deps: ProofsDeps) {
    this.#deps = deps;
  }

  start(): void {
    void this.#goRound();
  }

  /** Says that there is something new to check. */
  wake(): void {
    this.#nap.abort();
  }

  stop(): void {
    this.#stopping.abort();
    this.#nap.abort();
  }

  report(): ProofsReport {
    return this.#report;
  }

  async #goRound(): Promise<void> {
    const { timers, log } = this.#deps;
    while (!this.#stopping.signal.aborted) {
      this.#nap = new AbortController();
      try {
        await this.#round();
      } catch (err) {
        if (!this.#stopping.signal.aborted) log.error({ err }, 'settlements cannot be checked');
      }
      await timers.sleep(ROUND_INTERVAL_MS, this.#nap.signal);
      await timers.sleep(GATHER_MS, this.#stopping.signal);
    }
  }

  async #round(): Promise<void> {
    const { store, clock } = this.#deps;
    const seen = new Set<PaymentKey>();
    let [faults, sinceMs] = [0, Number.POSITIVE_INFINITY];
    let from: Cursor = null;
    do {
      const page = await store.uncheckedPayments(from, PROOFS_PAGE);
      faults += page.faults.length;
      this.#noteFaults(page.faults, faults);
      for (const { key, proof } of page.items) {
        seen.add(key);
        if (proof?.kind === 'unproven') sinceMs = Math.min(sinceMs, proof.sinceMs);
      }
      await this.#checkAll(page.items.filter((row) => this.#isDue(row)));
      from = page.next;
    } while (from !== null && !this.#stopping.signal.aborted);
    this.#faults = faults;
    for (const key of this.#waits.keys()) if (!seen.has(key)) this.#waits.delete(key);
    await this.#look(Number.isFinite(sinceMs) ? Math.max(0, clock.nowMs() - sinceMs) : null);
  }

  async #look(oldestUnprovenMs: number | null): Promise<void> {
    const facilitators = await this.#deps.store.exposures();
    const refuted = [...facilitators.values()].flatMap(({ lastRefutedAtMs: atMs }) => (atMs === null ? [] : [atMs]));
    const lastRefutedAtMs = refuted.length === 0 ? null : Math.max(...refuted);
    this.#report = { facilitators, oldestUnprovenMs, lastRefutedAtMs };
  }

  #isDue({ key }: PaymentRow): boolean {
    const wait = this.#waits.get(key);
    return wait === undefined || wait.dueAtMs <= this.#deps.clock.elapsedMs();
  }

  async #checkAll(rows: readonly PaymentRow[]): Promise<void> {
    for (let at = 0; at < rows.length && !this.#stopping.signal.aborted; at += PROOFS_AT_ONCE) {
      await Promise.all(rows.slice(at, at + PROOFS_AT_ONCE).map((row) => this.#check(row)));
    }
  }

  /** One row that cannot be checked or written holds up no other. */
  async #check(row: PaymentRow): Promise<void> {
    const { log } = this.#deps;
    const isFirst = !this.#waits.has(row.key);
    try {
      if (await checkProof(row, this.#deps, isFirst)) this.#waits.delete(row.key);
      else this.#wait(row.key);
    } catch (err) {
      this.#wait(row.key);
      if (!this.#stopping.signal.aborted)
        log.error({ requestId: row.requestId, payment: paymentIdOf(row.key), err }, 'a proof cannot be kept');
    }
  }

  #wait(key: PaymentKey): void {
    const { clock, random } = this.#deps;
    const tries = this.#waits.get(key)?.tries ?? 0;
    const dueAtMs = clock.elapsedMs() + backoffMs(RETRY, tries, random.next());
    this.#waits.set(key, { tries: tries + 1, dueAtMs });
  }

  /** Each is told when it is found, and not in every round. */
  #noteFaults(faults: readonly Error[], count: number): void {
    if (count <= this.#faults) return;
    for (const err of faults) this.#deps.log.error({ err }, 'a settled payment cannot be read, nor checked');
  }
}
