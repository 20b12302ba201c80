import { existsSync } from 'node:fs';
import { privateKeyToAccount } from 'viem/accounts';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { lmdbRatingsPath, openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { CREDIT_PACK, CREDIT_PACK_AMOUNT_MICROS } from '#api/prices';
import { readConfig } from '#config/config';
import type { WalletAddress } from '#domain/ids';
import { PAYMENT_WINDOW_S, paymentKey, type SignedPayment } from '#domain/payment/payment';
import { DAY_MS } from '#domain/time';
import { between, chance, pick, seededRandom, seedFor } from '#local/venue/market/seeded-random';
import { nameOfCode } from '#services/credits/promo-names';
import type { GateResult } from '#services/gate/call';
import { REPEAT_TO_BUYER_MS } from '#services/payments/work';
import { lastDueAsOf } from '#services/ratings/schedule';
import { toTypedData } from '#test/support/signed-payments';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { tempFolder } from '#test/support/temp-folder';
import { unreachableOutside } from '#test/support/unreachable-outside';
import { moneyFaults } from './check-money.js';
import { Journal } from './journal.js';
import { type Home, type Life, openLife } from './life.js';
import {
  ANSWER_MS_MAX,
  END_MS_MAX,
  HOUR_MS,
  NEAR_MS,
  NIGHT_MS,
  NIGHT_OVER_MS,
  SETTLEMENT_MS_MAX,
  TAKE_OVER_MS_MAX,
} from './limits.js';
import { Machine } from './machine.js';
import { Purses } from './purses.js';
import { type Mood, Upstreams } from './upstreams.js';

const START_MS = Date.UTC(2026, 0, 1);
const STEPS_MS = [-2 * DAY_MS, -HOUR_MS, -90_000, 90_000, HOUR_MS, 2 * DAY_MS] as const;
const REPEAT_EVERY_MS = 2_000;
const CUSTOMERS = 24;
const FIRST_GIFT = { credits: 400, days: 365 } as const;
/** A disk in memory where there is one: what a real one takes is no time of these worlds. */
const MEMORY_DISK = '/dev/shm';

/** An answer that was paid for, to be asked for again. */
interface Kept {
  readonly kind: 'payment' | 'key';
  readonly body: string;
  readonly atMs: number;
  readonly untilMs: number;
  readonly again: () => Promise<GateResult>;
}

interface Customer {
  readonly wallet: WalletAddress;
  readonly account: ReturnType<typeof privateKeyToAccount>;
  /** The newest token for what was bought or given, and the newest of a code. */
  readonly tokens: { purchase?: string; promo?: string };
}

/** What happened in a world, and what should not have. */
export interface Lived {
  readonly days: number;
  readonly counts: { readonly [what: string]: number };
  readonly slowestMs: { readonly [what: string]: number };
  readonly violations: readonly string[];
  /** SHA-256 of all that was seen, with the virtual time of each. */
  readonly trace: string;
}

/** Lives so many days with the dice of a seed. */
export async function liveDays(days: number, seed: number, onDay: (day: number) => void = () => {}): Promise<Lived> {
  const world = new World(seed);
  await world.begin();
  for (let day = 0; day < days; day++) {
    await world.day(day);
    onDay(day + 1);
  }
  return { days, ...(await world.end()) };
}

class World {
  readonly #dice;
  readonly #home: Home;
  readonly #machine = new Machine(START_MS);
  readonly #upstreams: Upstreams;
  readonly #purses = new Purses();
  readonly #customers: readonly Customer[];
  readonly #journal = new Journal(this.#machine);
  readonly #kept: Kept[] = [];
  /** Nonces of payments that were answered with 200, and of those that a client was refused for good. */
  readonly #paid = new Set<string>();
  readonly #refused = new Set<string>();
  #lives: Life[] = [];
  #made = 0;

  constructor(seed: number) {
    const dir = tempFolder('days', existsSync(MEMORY_DISK) ? MEMORY_DISK : undefined);
    this.#dice = seededRandom(seedFor(seed, 'days'));
    const answers = seededRandom(seedFor(seed, 'answers'));
    const { timers } = this.#machine.newTimers();
    const clock = this.#machine.clock;
    this.#upstreams = new Upstreams({ clock, timers, answerMs: () => between(answers, 20, 300) });
    const host = { bootId: 'boot', pid: 1, pidSpace: null, uptimeMs: () => clock.elapsedMs(), hasEnded: () => false };
    this.#home = {
      seed,
      config: readConfig(unreachableOutside(dir, 1)),
      machine: this.#machine,
      upstreams: this.#upstreams,
      store: openLmdbStore({ path: `${dir}/credits.lmdb`, host }),
      ratings: openLmdbRatings({ path: lmdbRatingsPath(dir), host }),
      onBoard: (asOfS) => this.#onBoard(asOfS),
      onError: (message) => this.#journal.note('error', message),
    };
    this.#customers = Array.from({ length: CUSTOMERS }, () => {
      const account = privateKeyToAccount(`0x${Buffer.from(this.#dice.bytes(32)).toString('hex')}`);
      return { account, wallet: account.address.toLowerCase() as WalletAddress, tokens: {} };
    });
  }

  async begin(): Promise<void> {
    await this.#start();
    for (const customer of this.#customers) await this.#gift(customer, FIRST_GIFT.credits, FIRST_GIFT.days);
  }

  /** Hours at rest, and between them what the dice bring. */
  async day(day: number): Promise<void> {
    const midnightMs = START_MS + day * DAY_MS;
    const hours = Array.from({ length: between(this.#dice, 6, 10) }, () => between(this.#dice, 600, 86_000) * 1e3)
      .filter((ms) => ms < NIGHT_MS - 300_000 || ms > NIGHT_OVER_MS)
      .toSorted((a, b) => a - b);
    let isNightOver = false;
    for (const ms of [...hours, DAY_MS - 1]) {
      if (!isNightOver && ms > NIGHT_MS) {
        isNightOver = true;
        await this.#night(midnightMs);
      }
      await this.#restUntil(midnightMs + ms - 5_000);
      await this.#something();
    }
    if (day % 7 === 0) await this.#newCode();
    if (day % 100 === 99) await this.#check();
  }

  async end(): Promise<Omit<Lived, 'days'>> {
    this.#upstreams.heal();
    await this.#restUntil(this.#machine.nowMs + 600_000);
    await this.#check();
    for (const life of this.#lives) await this.#machine.passUntil(life.stop(), 60_000);
    await this.#home.store.close();
    await this.#home.ratings.close();
    const { counts, slowestMs, violations } = this.#journal;
    return { counts, slowestMs, violations, trace: this.#journal.trace() };
  }

  /** All that is open ends, and then the machine mostly sleeps until that moment. */
  async #restUntil(untilMs: number): Promise<void> {
    this.#upstreams.heal();
    await this.#untilAllEnd();
    const ms = untilMs - this.#machine.nowMs;
    if (ms > 20_000) await this.#machine.leap(ms - 10_000);
    if (ms > 0) await this.#machine.pass(Math.min(ms, 10_000));
  }

  async #night(midnightMs: number): Promise<void> {
    await this.#restUntil(midnightMs + NIGHT_MS - 30_000);
    const isTrouble = chance(this.#dice, 0.2);
    if (isTrouble) this.#machine.clock.step(this.#nextStepMs());
    await this.#machine.pass(40_000);
    // The board is being made.
    if (chance(this.#dice, 0.2)) await this.#death();
    await this.#machine.pass(80_000);
    await this.#restUntil(midnightMs + NIGHT_OVER_MS);
    await this.#setRight();
    const board = await this.#machine.during(this.#home.ratings.board());
    const dueS = lastDueAsOf(this.#machine.nowMs);
    if (board?.asOfS !== dueS) this.#journal.violate(`no board of ${dueS} by 04:30, but ${board?.asOfS ?? 'none'}`);
  }

  async #something(): Promise<void> {
    const what = pick(this.#dice, [
      () => this.#calls(),
      () => this.#calls(),
      () => this.#calls(),
      () => this.#buyPack(),
      () => this.#redeem(),
      () => this.#grant(),
      () => this.#again(),
      () => this.#again(),
      () => this.#silence(),
      () => this.#silence(),
      () => this.#step(),
      () => this.#death(),
      () => this.#restart(),
    ]);
    await what();
    await this.#look();
  }

  /** Some calls at once, by x402 and from credits, as customers have them. */
  async #calls(): Promise<void> {
    const count = between(this.#dice, 1, 4);
    await Promise.all(Array.from({ length: count }, () => this.#call()));
  }

  #call(): Promise<void> {
    const customer = this.#anyCustomer();
    const { purchase, promo = purchase } = customer.tokens;
    const token = chance(this.#dice, 0.5) ? null : (pick(this.#dice, [purchase, promo]) ?? null);
    return token === null ? this.#payCall(customer) : this.#creditsCall(customer, token);
  }

  async #payCall(customer: Customer): Promise<void> {
    const payment = await this.#sign(customer, 20_000n);
    const order = ++this.#made;
    const ask = () => this.#ask({ payment: { kind: 'payment', payment }, bearer: null, order });
    const end = await this.#untilKnown('x402', payment, ask);
    if (end?.kind === 'paid') {
      const atMs = this.#machine.nowMs;
      this.#keep({ kind: 'payment', body: end.body, atMs, untilMs: atMs + REPEAT_TO_BUYER_MS, again: ask });
    }
  }

  async #creditsCall(customer: Customer, bearer: string): Promise<void> {
    const order = ++this.#made;
    const key = chance(this.#dice, 0.5) ? `key-${order}` : null;
    const ask = () => this.#ask({ payment: { kind: 'none' }, bearer, order, key });
    const before = this.#purses.expected(bearer, this.#machine.nowMs, NEAR_MS);
    const end = await this.#timed('credits', ask(), ANSWER_MS_MAX);
    if (end === undefined) return this.#purses.doubt(customer.wallet, this.#machine.nowMs);
    if (end.kind === 'answered') {
      if (!end.replayed) this.#purses.debit(bearer, 1, this.#machine.nowMs);
      const atMs = this.#machine.nowMs;
      if (key !== null) this.#keep({ kind: 'key', body: end.body, atMs, untilMs: atMs + DAY_MS, again: ask });
    } else if (end.kind === 'payment_required' && before !== null && before > 3) {
      this.#journal.violate(`${before} credits are left, and a call was refused: ${end.reason}`);
    }
  }

  async #buyPack(): Promise<void> {
    const customer = this.#anyCustomer();
    const payment = await this.#sign(customer, CREDIT_PACK_AMOUNT_MICROS);
    const requestId = `request-${++this.#made}`;
    const ask = () =>
      this.#life.gate.buyCredits({
        ...{ requestId, caller: '192.0.2.1', x402Probe: 'absent', idempotencyKey: null },
        payment: { kind: 'payment', payment },
      });
    const end = await this.#untilKnown('pack', payment, ask);
    if (end?.kind !== 'paid') return;
    const { token } = JSON.parse(end.body) as { token: string };
    customer.tokens.purchase = token;
    const dueMs = this.#machine.nowMs + CREDIT_PACK.valid_days * DAY_MS;
    this.#purses.add(token, customer.wallet, { credits: CREDIT_PACK.credits, dueMs, source: null });
  }

  async #newCode(): Promise<void> {
    const days = between(this.#dice, 1, 5);
    this.#code = { code: `CODE${++this.#made}`, untilMs: this.#machine.nowMs + days * DAY_MS };
    const terms = { code: this.#code.code, credits: 5, walletsMax: CUSTOMERS, days };
    await this.#timed('code', this.#life.money.credits.createPromo(terms), ANSWER_MS_MAX);
  }

  #code: { readonly code: string; readonly untilMs: number } | null = null;

  async #redeem(): Promise<void> {
    if (this.#code === null) return;
    const { code, untilMs } = this.#code;
    const customer = this.#anyCustomer();
    const nowMs = this.#machine.nowMs;
    const end = await this.#timed('redeem', this.#life.money.credits.redeem(code, customer.wallet), ANSWER_MS_MAX);
    if (end === undefined) return this.#purses.doubt(customer.wallet, this.#machine.nowMs);
    this.#journal.note('redeemed', end.kind);
    if (end.kind === 'expired' && nowMs < untilMs - NEAR_MS)
      this.#journal.violate(`a code ended ${untilMs - nowMs} ms early`);
    if (end.kind === 'redeemed') {
      if (nowMs > untilMs + NEAR_MS && this.#life.time.isConfirmed)
        this.#journal.violate(`a code was redeemed ${nowMs - untilMs} ms late`);
      this.#purses.add(end.token, customer.wallet, {
        credits: 5,
        dueMs: nowMs + 365 * DAY_MS,
        source: nameOfCode(CREDIT_SECRETS, code),
      });
      customer.tokens.promo = end.token;
      this.#lookAtDate('the credits of a code', end.expiresAtMs, nowMs + 365 * DAY_MS);
    }
  }

  /** Credits that live for days alone. */
  async #grant(): Promise<void> {
    const customer = this.#anyCustomer();
    await this.#gift(customer, 3, between(this.#dice, 1, 9));
  }

  async #gift(customer: Customer, credits: number, days: number): Promise<{ readonly token: string | null }> {
    const nowMs = this.#machine.nowMs;
    const dueMs = nowMs + days * DAY_MS;
    const giving = this.#life.money.credits.grant(customer.wallet, credits, days, 'a gift');
    const end = await this.#timed('grant', giving, ANSWER_MS_MAX);
    if (end === undefined) throw new Error('no process dies while an operator grants');
    if (end.token !== null) customer.tokens.purchase = end.token;
    this.#purses.add(end.token, customer.wallet, { credits, dueMs, source: null });
    this.#lookAtDate('granted credits', end.expiresAtMs, dueMs);
    return end;
  }

  #lookAtDate(what: string, atMs: number, dueMs: number): void {
    if (Math.abs(atMs - dueMs) > NEAR_MS && this.#life.time.isConfirmed)
      this.#journal.violate(`${what} end ${atMs - dueMs} ms off`);
  }

  /** What was answered before is asked for again. */
  async #again(): Promise<void> {
    const nowMs = this.#machine.nowMs;
    const kind = pick(this.#dice, ['payment', 'key']);
    // A key that is over buys anew.
    const some = this.#kept.filter((one) => one.kind === kind && (kind === 'payment' || nowMs < one.untilMs));
    if (some.length === 0) return;
    const kept = some[between(this.#dice, 0, some.length - 1)]!;
    const isOver = nowMs > kept.untilMs + NEAR_MS;
    if (!isOver && nowMs > kept.untilMs - NEAR_MS) return;
    const end = await this.#timed('again', kept.again(), SETTLEMENT_MS_MAX);
    if (end === undefined) return;
    const age = `${nowMs - kept.atMs} ms old`;
    if (!isOver && (!('body' in end) || end.body !== kept.body)) {
      if (end.kind === 'failed') return;
      this.#journal.violate(
        `an answer to a ${kept.kind} that is ${age} is not repeated: ${end.kind} ${'reason' in end ? end.reason : ''}`,
      );
    }
    if (isOver && this.#life.time.isConfirmed && end.kind === 'paid')
      this.#journal.violate(`a payment is repeated that is ${age}`);
    if (isOver) this.#drop(kept);
  }

  /** An upstream is silent or away while customers call, and then it is well again. */
  async #silence(): Promise<void> {
    const { moods } = this.#upstreams;
    const mood: Mood = pick(this.#dice, ['silent', 'away'] as [Mood, Mood]);
    const fail = pick<() => unknown>(this.#dice, [
      () => (moods.chain = mood),
      () => (moods.venue = mood),
      () => (moods.facilitators[0] = mood),
      () => (moods.facilitators = [mood, mood]),
      () => (moods.facilitators[0] = 'mute'),
      () => (moods.facilitators = ['mute', 'mute']),
      () => (moods.facilitators[0] = 'pending'),
      () => (moods.facilitators[0] = 'refuses'),
    ]);
    fail();
    this.#journal.note('trouble', JSON.stringify(moods));
    for (let count = between(this.#dice, 1, 3); count > 0; count--) {
      await this.#calls();
      await this.#machine.pass(between(this.#dice, 1, 30) * 1e3);
    }
    this.#upstreams.heal();
  }

  /** The clock of the machine is set while customers call; somebody sets it right later. */
  async #step(): Promise<void> {
    const ms = this.#nextStepMs();
    this.#machine.clock.step(ms);
    this.#journal.note('step', String(ms));
    await this.#calls();
    await this.#again();
    await this.#machine.pass(between(this.#dice, 10, 60) * 1e3);
    await this.#look();
    await this.#setRight();
  }

  #nextStepMs(): number {
    return pick(this.#dice, STEPS_MS);
  }

  async #setRight(): Promise<void> {
    const { clock } = this.#machine;
    clock.step(clock.elapsedMs() - clock.nowMs());
    await this.#machine.pass(5_000);
  }

  /** A process is killed while customers call, with another one beside it, or none for some time. */
  async #death(): Promise<void> {
    const isAlone = chance(this.#dice, 0.5);
    if (!isAlone) await this.#start();
    const [dead] = this.#lives as [Life, ...Life[]];
    const calls = this.#calls();
    await this.#machine.pass(between(this.#dice, 0, 1_500));
    dead.kill();
    const killedAtMs = this.#machine.nowMs;
    this.#journal.note('killed', String(isAlone));
    this.#lives = this.#lives.slice(1);
    if (isAlone) {
      await this.#machine.pass(between(this.#dice, 7, 120) * 1e3);
      if (chance(this.#dice, 0.3)) this.#machine.clock.step(this.#nextStepMs());
      await this.#start();
    } else {
      await this.#machine.pass(TAKE_OVER_MS_MAX);
    }
    await this.#lookForOrphans();
    await calls;
    this.#purses.doubtDebitsSince(killedAtMs - 2_000, this.#machine.nowMs);
    await this.#setRight();
  }

  /** Nothing stays with an owner that is dead. */
  async #lookForOrphans(): Promise<void> {
    const owners = new Set(this.#lives.map(({ money }) => money.lease.id));
    const { items } = await this.#machine.during(this.#home.store.openPayments(null, 500));
    const orphans = items.filter(({ owner }) => owner === null || !owners.has(owner));
    if (orphans.length > 0)
      this.#journal.violate(`${orphans.length} payments are nobody's ${TAKE_OVER_MS_MAX} ms after a death`);
  }

  /** Another process starts, and the first one stops in good order; the clock may be wrong at that start. */
  async #restart(): Promise<void> {
    if (chance(this.#dice, 0.5)) this.#machine.clock.step(this.#nextStepMs());
    if (chance(this.#dice, 0.3)) this.#upstreams.moods.chain = 'silent';
    await this.#start();
    const [old] = this.#lives as [Life, ...Life[]];
    this.#lives = this.#lives.slice(1);
    const stopping = old.stop();
    await this.#calls();
    await this.#machine.passUntil(stopping, 60_000);
    await this.#look();
    this.#upstreams.heal();
    await this.#setRight();
    this.#journal.note('restarted', '');
  }

  async #start(): Promise<void> {
    const life = openLife(this.#home, `life ${++this.#made}`);
    await this.#machine.passUntil(life.start(), 60_000);
    // Doors open last.
    this.#lives.push(life);
  }

  get #life(): Life {
    return this.#lives[0]!;
  }

  /** Balances are what was given less what was answered, and end in their time. */
  async #look(): Promise<void> {
    await this.#machine.pass(3_000);
    const nowMs = this.#machine.nowMs;
    await this.#purses.settle((wallet) => this.#home.store.account(wallet), nowMs);
    for (const { token, min, max } of this.#purses.looks(nowMs, NEAR_MS)) {
      const bearer = await this.#life.money.credits.authenticate(token);
      if (bearer === null) continue;
      const { balance } = await this.#machine.during(this.#life.money.credits.balanceOf(bearer));
      const isWrong = balance < min || (balance > max && this.#life.time.isConfirmed);
      if (isWrong) this.#journal.violate(`a balance is ${balance}, and should be ${min} to ${max}`);
    }
  }

  /** Every payment ends in the time that is promised from when all upstreams are well. */
  async #untilAllEnd(): Promise<void> {
    for (const endMs = this.#machine.nowMs + END_MS_MAX; ; ) {
      const { items } = await this.#machine.during(this.#home.store.openPayments(null, 500));
      if (items.length === 0) return;
      if (this.#machine.nowMs > endMs) {
        this.#journal.violate(
          `${items.length} payments are open ${END_MS_MAX} ms after all was well: ${items[0]!.state}`,
        );
        return;
      }
      await this.#machine.pass(1_000);
    }
  }

  /** Every rule of the store, and one transfer for each payment that is settled. */
  async #check(): Promise<void> {
    await this.#untilAllEnd();
    const answered = { paid: this.#paid, refused: this.#refused };
    for (const fault of await moneyFaults(this.#home, answered)) this.#journal.violate(fault);
  }

  #onBoard(asOfS: number): void {
    const beginsAtMs = asOfS * 1e3 + NIGHT_MS;
    this.#journal.note('board', String(asOfS));
    if (this.#machine.nowMs < beginsAtMs - NEAR_MS)
      this.#journal.violate(`a board is made ${beginsAtMs - this.#machine.nowMs} ms early`);
  }

  #ask({
    payment,
    bearer,
    order,
    key = null,
  }: {
    payment: Asked;
    bearer: string | null;
    order: number;
    key?: string | null;
  }) {
    return this.#life.gate.run('preflight_trade', {
      ...{ requestId: `request-${order}`, caller: '192.0.2.1', sandbox: 'absent', x402Probe: 'absent' },
      ...{ payment, bearer, idempotencyKey: key, args: { order } },
    });
  }

  /** A client repeats what it has no answer to, with the same payment. */
  async #untilKnown(kind: string, payment: SignedPayment, ask: () => Promise<GateResult>): Promise<GateResult | null> {
    const { nonce } = payment.authorization;
    const endMs = this.#machine.nowMs + END_MS_MAX + 600_000;
    while (this.#machine.nowMs < endMs) {
      const { transfers, unheard } = this.#upstreams;
      const wasSent = () => transfers.has(nonce) || unheard.has(nonce) || this.#sent.has(paymentKey(payment));
      // Nobody is there to connect to.
      if (this.#lives.length === 0) {
        await this.#machine.pass(REPEAT_EVERY_MS);
        continue;
      }
      const end = await this.#timed(kind, ask(), () => (wasSent() ? SETTLEMENT_MS_MAX : ANSWER_MS_MAX));
      // Its connection broke, and it does not come back: what was sent is ended without it.
      if (end === undefined && chance(this.#dice, 0.5)) return null;
      if (end?.kind === 'payment_unknown') this.#sent.add(paymentKey(payment));
      if (end?.kind === 'paid') {
        this.#paid.add(nonce);
        return end;
      }
      if (end?.kind === 'payment_refused' && end.transaction === undefined) {
        this.#refused.add(nonce);
        const leftS = Number(payment.authorization.validBefore) - this.#machine.nowMs / 1e3;
        const isByClock = end.reason.includes('authorization_valid');
        if (isByClock && leftS > 30 && this.#life.time.isConfirmed)
          this.#journal.violate(`refused ${leftS} s before its end: ${end.reason}`);
        return end;
      }
      // An uncharged failure: the client gives up, unless it was sent to be settled.
      if (end !== undefined && end.kind !== 'payment_unknown' && !wasSent()) return end;
      await this.#machine.pass(REPEAT_EVERY_MS);
    }
    this.#journal.violate(`a client does not hear what became of its payment ${nonce}`);
    return null;
  }

  readonly #sent = new Set<string>();

  /** Resolves with undefined where the process died. */
  async #timed<T>(kind: string, work: Promise<T>, msMax: number | (() => number)): Promise<T | undefined> {
    const life = this.#life;
    const beganAtMs = this.#machine.nowMs;
    let end: T | undefined;
    let endedAtMs: number | null = null;
    const fail = (error: Error) => {
      this.#journal.violate(`${kind} failed: ${error.message}`);
      endedAtMs = this.#machine.nowMs;
    };
    work.then((value) => {
      [end, endedAtMs] = [value, this.#machine.nowMs];
    }, fail);
    await this.#machine.until(() => endedAtMs !== null || life.isDead(), 2 * SETTLEMENT_MS_MAX);
    const ms = (endedAtMs ?? this.#machine.nowMs) - beganAtMs;
    const what = end === undefined ? 'none' : describe(end);
    this.#journal.note(
      kind,
      end !== undefined && typeof end === 'object' && end !== null && 'reason' in end
        ? `${what} ${String(end.reason)}`
        : what,
    );
    if (life.isDead() && end === undefined) return undefined;
    this.#journal.timed(`${kind} ${what}`, ms);
    const limitMs = typeof msMax === 'number' ? msMax : msMax();
    if (end === undefined || ms > limitMs) this.#journal.violate(`${kind} took ${ms} ms and not ${limitMs}: ${what}`);
    return end;
  }

  async #sign({ account, wallet: from }: Customer, amountMicros: bigint): Promise<SignedPayment> {
    const { config } = this.#home;
    const nowS = Math.floor(this.#machine.nowMs / 1e3);
    const authorization = {
      ...{ from, to: config.payee.toLowerCase() as WalletAddress, value: String(amountMicros) },
      ...{ validAfter: String(nowS - 600), validBefore: String(nowS + PAYMENT_WINDOW_S) },
      nonce: `0x${(++this.#made).toString(16).padStart(64, '0')}`,
    };
    const signature = await account.signTypedData(toTypedData(authorization));
    const purchaseSecret = this.#life.money.purchaseSecrets.issue();
    const rest = { version: 2, paymentIdentifier: null, resourceUrl: null } as const;
    return { ...rest, asset: config.usdc.toLowerCase() as WalletAddress, authorization, signature, purchaseSecret };
  }

  #anyCustomer(): Customer {
    return this.#customers[between(this.#dice, 0, CUSTOMERS - 1)]!;
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept);
    if (this.#kept.length > 60) this.#kept.shift();
  }

  #drop(kept: Kept): void {
    this.#kept.splice(this.#kept.indexOf(kept), 1);
  }
}

type Asked = { readonly kind: 'none' } | { readonly kind: 'payment'; readonly payment: SignedPayment };

function describe(end: unknown): string {
  if (typeof end !== 'object' || end === null || !('kind' in end)) return 'done';
  const code = 'problem' in end ? (end as { problem: { code: string } }).problem.code : '';
  return `${String(end.kind)} ${code}`.trim();
}
