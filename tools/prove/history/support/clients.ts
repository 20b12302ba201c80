import { setTimeout as sleep } from 'node:timers/promises';
import type { WalletAddress } from '#domain/ids';
import type { Dice } from '#test/support/killed-process';
import type { Call, Requested } from './calls.js';
import type { HistoryWorld } from './world.js';

const ANSWER_MS_MAX = 4_000;
const PAUSE_MS_MAX = 300;
/** So long after all troubles are over a call has to be answered. */
const PATIENCE_MS = 60_000;
/** Part of the callers who go away after they were not answered. */
const GIVES_UP = 0.03;
const RECENT_KEYS = 8;

/** What clients know of a wallet, and what they saw of it. */
export interface HistoryWallet {
  readonly address: WalletAddress;
  readonly token: string;
  readonly balance: number;
  readonly calls: Call[];
  readonly recentKeys: string[];
}

/** A promotional code that there is. */
export interface HistoryCode {
  readonly code: string;
  readonly credits: number;
}

export interface ClientsOptions {
  readonly wallets: readonly HistoryWallet[];
  /** Is charged by calls that cannot be repeated, and by no others. */
  readonly withoutKeys: Pick<HistoryWallet, 'address' | 'token'>;
  /** In the order in which they are redeemed. */
  readonly codes: readonly HistoryCode[];
  readonly dice: Dice;
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Said {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly isReplay: boolean;
  readonly requestId: string;
}

/** Clients who each wait for their answers, and what they saw. */
export class Clients {
  readonly #world: HistoryWorld;
  readonly #options: ClientsOptions;
  /** How often something was said, as `200`, `500 store_unavailable` or `no answer`. */
  readonly said = new Map<string, number>();
  /** Charges without a key that were answered, by request id. */
  readonly acknowledged: string[] = [];
  /** What was not answered long after all troubles were over. */
  readonly neverAnswered: Requested[] = [];
  #keys = 0;
  #grants = 0;

  constructor(world: HistoryWorld, options: ClientsOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** So many clients at once, until the time is up and each has its answer. */
  async run(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, n) => this.#client(n)));
  }

  async #client(n: number): Promise<void> {
    const { dice, wallets, untilMs } = this.#options;
    while (performance.now() < untilMs) {
      const wallet = this.#pick(wallets);
      const what = dice.next();
      if (what < 0.6) await this.#charge(wallet, this.#newKey(wallet, n));
      else if (what < 0.7) await this.#chargeTwiceAtOnce(wallet, this.#newKey(wallet, n));
      else if (what < 0.8) await this.#charge(wallet, this.#pick(wallet.recentKeys) ?? this.#newKey(wallet, n));
      else if (what < 0.88) await this.#read(wallet);
      else if (what < 0.92) await this.#redeem(wallet);
      else if (what < 0.97) await this.#chargeWithoutKey();
      else await this.#grant(wallet, 1 + Math.floor(dice.next() * 30));
    }
  }

  async #chargeTwiceAtOnce(wallet: HistoryWallet, key: string): Promise<void> {
    await Promise.all([this.#charge(wallet, key), this.#charge(wallet, key)]);
  }

  #charge({ token, calls }: HistoryWallet, key: string): Promise<void> {
    const unseen = { kind: 'charge', key, seen: null } as const;
    const seenIn = ({ status, body, isReplay }: Said): Requested | null => {
      const left = (body.paid as { readonly credits_remaining: number } | undefined)?.credits_remaining ?? -1;
      if (status === 200) return { ...unseen, seen: { kind: 'charged', left, isReplay } };
      return body.code === 'insufficient_credits' ? { ...unseen, seen: 'too little' } : null;
    };
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
    return this.#untilAnswered(calls, () => this.#ask(this.#question, { headers }), seenIn, unseen);
  }

  #redeem({ address, calls }: HistoryWallet): Promise<void> {
    const { code, credits } = this.#codeOfTheMoment();
    const unseen = { kind: 'redeem', code, credits, seen: null } as const;
    const seenIn = ({ status, body }: Said): Requested | null => {
      if (status === 200) return { ...unseen, seen: 'redeemed' };
      if (body.code === 'promo_already_redeemed') return { ...unseen, seen: 'already' };
      return body.code === 'promo_gone' ? { ...unseen, seen: 'gone' } : null;
    };
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, wallet: address }),
    };
    return this.#untilAnswered(calls, () => this.#ask('/api/redeem', init), seenIn, unseen);
  }

  async #read({ token, calls }: HistoryWallet): Promise<void> {
    const beganMs = performance.now();
    const said = await this.#ask('/api/credits', { headers: { authorization: `Bearer ${token}` } });
    if (said?.status !== 200) return;
    const requested: Requested = { kind: 'read', seen: { balance: said.body.balance as number } };
    calls.push({ requested, beganMs, endedMs: performance.now(), sent: 1 });
  }

  /** An operator does not repeat: nobody could tell one grant from two. */
  async #grant({ address, calls }: HistoryWallet, credits: number): Promise<void> {
    const { replica } = this.#pick(this.#world.sites);
    if (replica === null) return;
    const beganMs = performance.now();
    const note = `grant ${++this.#grants}`;
    const balance = await replica.send({ order: 'grant', wallet: address, credits, note }).catch(() => null);
    const seen = balance === null ? null : { balance };
    const endedMs = seen === null ? Number.POSITIVE_INFINITY : performance.now();
    calls.push({ requested: { kind: 'grant', credits, note, seen }, beganMs, endedMs, sent: 1 });
  }

  async #chargeWithoutKey(): Promise<void> {
    const { token } = this.#options.withoutKeys;
    const said = await this.#ask(this.#question, { headers: { authorization: `Bearer ${token}` } });
    if (said?.status === 200) this.acknowledged.push(said.requestId);
  }

  /** Repeats at any replica until it is answered. */
  async #untilAnswered(
    calls: Call[],
    send: () => Promise<Said | null>,
    seenIn: (said: Said) => Requested | null,
    unseen: Requested,
  ): Promise<void> {
    const beganMs = performance.now();
    for (let sent = 1; ; sent++) {
      const said = await send();
      const endedMs = performance.now();
      const requested = said === null ? null : seenIn(said);
      if (requested !== null) return void calls.push({ requested, beganMs, endedMs, sent });
      const isOver = endedMs > this.#options.untilMs + PATIENCE_MS;
      if (isOver) this.neverAnswered.push(unseen);
      if (isOver || this.#options.dice.next() < GIVES_UP)
        return void calls.push({ requested: unseen, beganMs, endedMs: Number.POSITIVE_INFINITY, sent });
      await sleep(this.#options.dice.next() * PAUSE_MS_MAX);
    }
  }

  /** Asks any replica that is alive; null: no answer came. */
  async #ask(path: string, init: RequestInit): Promise<Said | null> {
    const { replica } = this.#pick(this.#world.sites);
    if (replica === null) return null;
    const headers = { ...init.headers, 'x-forwarded-for': this.#anyAddress() };
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    try {
      const answer = await fetch(replica.url + path, { ...init, headers, signal });
      const body = (await answer.json()) as Record<string, unknown>;
      this.#count(body.ok === true ? `${answer.status}` : `${answer.status} ${body.code as string}`);
      const isReplay = answer.headers.get('idempotent-replayed') === 'true';
      return { status: answer.status, body, isReplay, requestId: answer.headers.get('x-request-id')! };
    } catch {
      this.#count('no answer');
      return null;
    }
  }

  /** Limits per address are not what is looked at here. */
  #anyAddress(): string {
    return `10.${Array.from({ length: 3 }, () => Math.floor(this.#options.dice.next() * 256)).join('.')}`;
  }

  #count(what: string): void {
    this.said.set(what, (this.said.get(what) ?? 0) + 1);
  }

  #codeOfTheMoment(): HistoryCode {
    const { codes, fromMs, untilMs, dice } = this.#options;
    const part = Math.min(1, (performance.now() - fromMs) / (untilMs - fromMs));
    // Those before are asked for now and then, when they are taken.
    const at = Math.floor(part * codes.length - dice.next() * 2);
    return codes[Math.max(0, Math.min(codes.length - 1, at))]!;
  }

  #newKey({ recentKeys }: HistoryWallet, client: number): string {
    const key = `key-${client}-${++this.#keys}`;
    recentKeys.push(key);
    if (recentKeys.length > RECENT_KEYS) recentKeys.shift();
    return key;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#options.dice.next() * from.length)]!;
  }

  get #question(): string {
    return `/api/preflight_trade?slug=${this.#world.slug}&usd=5`;
  }
}
