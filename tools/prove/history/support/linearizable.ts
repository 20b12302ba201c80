import { type Call, textOf } from './calls.js';
import { WalletModel } from './wallet-model.js';

/** Orders that are tried before it is given up. */
const TRIES_MAX = 300_000;
const SHOWN_MAX = 12;

/** Whether calls have an order in which a wallet would have answered them as it did. */
export type Finding =
  | { readonly kind: 'linearizable'; readonly tries: number }
  | { readonly kind: 'not linearizable' | 'undecided'; readonly text: string };

interface Taken {
  readonly at: number;
  readonly undo: () => void;
  /** The latest begun of all that are taken. */
  readonly last: number;
}

/**
 * Looks for an order of the calls of one wallet in which each takes effect at one moment between
 * its beginning and its end, and is answered as it was (Wing and Gong 1993, with the memory of
 * Lowe 2017). What was never answered may take effect at any moment after it began, or never.
 */
export function linearize(calls: readonly Call[], balance: number): Finding {
  return new Search(calls, balance).run();
}

class Search {
  readonly #calls: readonly Call[];
  readonly #model: WalletModel;
  /**
   * A ring of the calls that are not in the order yet, as they began; the last place is its head.
   */
  readonly #next: number[];
  readonly #previous: number[];
  readonly #head: number;
  readonly #order: Taken[] = [];
  readonly #seen = new Set<string>();
  #answeredLeft: number;
  /** How far the longest order came, and what stood in its way. */
  #longest = -1;
  #obstacle = '';

  constructor(calls: readonly Call[], balance: number) {
    this.#calls = calls.toSorted((a, b) => a.beganMs - b.beganMs);
    this.#head = calls.length;
    this.#next = Array.from({ length: calls.length + 1 }, (_, at) => (at === calls.length ? 0 : at + 1));
    this.#previous = Array.from({ length: calls.length + 1 }, (_, at) => (at === 0 ? calls.length : at - 1));
    this.#model = new WalletModel(balance);
    this.#answeredLeft = calls.filter(({ endedMs }) => endedMs !== Number.POSITIVE_INFINITY).length;
  }

  run(): Finding {
    let from = this.#next[this.#head]!;
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      if (this.#answeredLeft === 0) return { kind: 'linearizable', tries };
      if (this.#takeOne(from)) {
        from = this.#next[this.#head]!;
        continue;
      }
      this.#noteObstacle();
      const last = this.#order.pop();
      if (last === undefined) return { kind: 'not linearizable', text: this.#obstacle };
      this.#putBack(last);
      from = this.#next[last.at]!;
    }
    return { kind: 'undecided', text: `no order was found among ${TRIES_MAX}\n${this.#obstacle}` };
  }

  /** Takes the next call, of those from `from` on, that may come next; false: there is none. */
  #takeOne(from: number): boolean {
    let earliestEndMs = Number.POSITIVE_INFINITY;
    for (let at = this.#next[this.#head]!; at !== this.#head; at = this.#next[at]!) {
      const call = this.#calls[at]!;
      // Whoever ended before it began comes before it.
      if (call.beganMs > earliestEndMs) return false;
      earliestEndMs = Math.min(earliestEndMs, call.endedMs);
      if (at >= from && this.#take(at)) return true;
    }
    return false;
  }

  #take(at: number): boolean {
    const call = this.#calls[at]!;
    const undo = this.#model.step(call);
    if (undo === null) return false;
    const taken = { at, undo, last: Math.max(at, this.#order.at(-1)?.last ?? -1) };
    this.#next[this.#previous[at]!] = this.#next[at]!;
    this.#previous[this.#next[at]!] = this.#previous[at]!;
    if (call.endedMs !== Number.POSITIVE_INFINITY) this.#answeredLeft--;
    const state = this.#stateUpTo(taken.last);
    if (this.#seen.has(state)) {
      this.#putBack(taken);
      return false;
    }
    this.#seen.add(state);
    this.#order.push(taken);
    return true;
  }

  #putBack({ at, undo }: Taken): void {
    undo();
    this.#next[this.#previous[at]!] = at;
    this.#previous[this.#next[at]!] = at;
    if (this.#calls[at]!.endedMs !== Number.POSITIVE_INFINITY) this.#answeredLeft++;
  }

  /** Which calls are in the order, and what came of them. */
  #stateUpTo(last: number): string {
    const left: number[] = [];
    for (let at = this.#next[this.#head]!; at !== this.#head && at < last; at = this.#next[at]!) left.push(at);
    return `${last} ${left.join()} ${this.#model.balance}`;
  }

  #noteObstacle(): void {
    if (this.#order.length <= this.#longest) return;
    this.#longest = this.#order.length;
    const before = this.#order.slice(-SHOWN_MAX).map(({ at }) => this.#calls[at]!);
    const stuck: Call[] = [];
    for (let at = this.#next[this.#head]!; at !== this.#head && stuck.length < SHOWN_MAX; at = this.#next[at]!)
      stuck.push(this.#calls[at]!);
    const lines = [
      `after ${this.#longest} of ${this.#calls.length} calls there are ${this.#model.balance} credits; the last were`,
      ...before.map((call) => `  ${textOf(call)}`),
      'and none of these can follow',
      ...stuck.map((call) => `  ${textOf(call)}`),
    ];
    this.#obstacle = lines.join('\n');
  }
}
