import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorBodySchema } from '#api/errors';
import { until } from '#test/support/live-verdicts';
import type { LocalMoney } from '#test/support/local-money';
import { type LocalProcess, redeemLocal } from '#test/support/local-process';
import { PAYING_CLIENTS } from '#test/support/paying-clients';
import { PROCESS_START_MS } from '#test/support/time-limits';

const REPLICAS = 3;
const PAUSE_MS = 20;
const RETRY_MS = 200;
/** What a replica that stops may say. */
const COME_AGAIN: readonly string[] = ['shutting_down', 'settlement_pending'];
/** Of each paying caller. */
const FUNDS_MICROS = 10_000_000n;

export interface LoadOptions {
  readonly cluster: LocalProcess;
  readonly money: LocalMoney;
  /** Callers at once that use credits, and that pay per call. */
  readonly callers: { readonly credits: number; readonly payers: number };
  readonly rolls: number;
}

/** What callers saw while the replicas were restarted, one after the other. */
export interface LoadReport {
  /** Calls that were answered, with which replica answered. */
  readonly served: Readonly<Record<string, number>>;
  /**
   * Answers that told the caller to come again: that the replica stops, or that the outcome of a
   * payment is not known yet.
   */
  readonly comeAgain: number;
  /** Everything else, in words. */
  readonly wrong: readonly string[];
  /** Calls that were answered with 200, by lane, and what they cost by the books. */
  readonly credits: { readonly answered: number; readonly charged: number };
  readonly payments: { readonly answered: number; readonly settled: number; readonly chargedMicros: bigint };
}

/** Restarts the replicas of a cluster under load, and returns what its callers saw of it. */
export async function rollUnderLoad({ cluster, money, callers, rolls }: LoadOptions): Promise<LoadReport> {
  const load = new Load(cluster, money);
  await money.clear();
  const working = [
    ...Array.from({ length: callers.credits }, (_, n) => load.useCredits(n)),
    ...Array.from({ length: callers.payers }, () => load.pay()),
  ];
  try {
    for (let roll = 0; roll < rolls; roll++) await rollOnce(cluster);
  } finally {
    load.stop();
  }
  await Promise.all(working);
  return load.report();
}

/** Resolves when all of them are up again. */
async function rollOnce(cluster: LocalProcess): Promise<void> {
  const comeBacks = () => cluster.output().match(/is up again/g)?.length ?? 0;
  const before = comeBacks();
  const [, pid] = /kill -USR2 (\d+)/.exec(cluster.output())!;
  process.kill(Number(pid), 'SIGUSR2');
  await until('all replicas were restarted', () => comeBacks() >= before + REPLICAS, PROCESS_START_MS);
}

class Load {
  readonly #cluster: LocalProcess;
  readonly #money: LocalMoney;
  readonly #served: Record<string, number> = {};
  readonly #wrong: string[] = [];
  readonly #credits = { answered: 0, charged: 0 };
  readonly #payments = { answered: 0, settled: 0, chargedMicros: 0n };
  #comeAgain = 0;
  #isOver = false;

  constructor(cluster: LocalProcess, money: LocalMoney) {
    this.#cluster = cluster;
    this.#money = money;
  }

  stop(): void {
    this.#isOver = true;
  }

  /** One call after the other, each with a key of its own, until the load is over. */
  async useCredits(n: number): Promise<void> {
    const wallet = `0x${(0xcafe00 + n).toString(16).padStart(40, '0')}`;
    const token = await redeemLocal(this.#cluster.facts, wallet);
    const authorization = `Bearer ${token}`;
    const url = this.#cluster.facts.url;
    const before = await balanceOf(url, authorization);
    let answered = 0;
    for (let call = 0; !this.#isOver; call++) {
      const headers = { authorization, 'idempotency-key': `call-${before}-${call}` };
      const text = await this.#ask(headers, 100 + (call % 50));
      if (text !== null) answered++;
      await sleep(PAUSE_MS);
    }
    const after = await balanceOf(url, authorization);
    this.#credits.answered += answered;
    this.#credits.charged += before - after;
  }

  /** One payment after the other, each sent again when it was answered, to whomever is next. */
  async pay(): Promise<void> {
    const account = await this.#money.newWallet(FUNDS_MICROS);
    while (!this.#isOver) {
      const bought = await PAYING_CLIENTS[0]!.buy(account, { url: this.#urlOf(250) });
      this.#note(bought.answer, bought.text);
      const headers = { [bought.sent.name]: bought.sent.value };
      const text = bought.answer.status === 200 ? bought.text : await this.#ask(headers, 250);
      if (text === null) continue;
      this.#payments.answered++;
      const again = await this.#ask(headers, 250);
      if (again !== text) this.#wrong.push('a repeat of a payment got other bytes');
    }
    const after = await this.#money.balanceOf(account.address);
    this.#payments.chargedMicros += FUNDS_MICROS - after;
  }

  async report(): Promise<LoadReport> {
    const calls = await this.#money.facilitatorCalls();
    this.#payments.settled = calls.filter(({ operation }) => operation === 'settle').length;
    return {
      served: this.#served,
      comeAgain: this.#comeAgain,
      wrong: this.#wrong,
      credits: this.#credits,
      payments: this.#payments,
    };
  }

  #urlOf(usd: number): string {
    const { url, exampleSlug } = this.#cluster.facts;
    return `${url}/api/preflight_trade?slug=${exampleSlug}&usd=${usd}`;
  }

  /**
   * Asks until there is an answer: who is told to come again does so, with the same key or payment.
   * null: it went wrong.
   */
  async #ask(headers: Readonly<Record<string, string>>, usd: number): Promise<string | null> {
    for (;;) {
      const answer = await fetch(this.#urlOf(usd), { headers }).catch((error: Error) => error);
      if (answer instanceof Error) {
        this.#wrong.push(`no answer: ${answer.cause ?? answer.message}`);
        return null;
      }
      const text = await answer.text();
      const kind = this.#note(answer, text);
      if (kind === 'answered') return text;
      if (kind === 'wrong') return null;
      await sleep(RETRY_MS);
    }
  }

  #note(answer: Response, text: string): 'answered' | 'come again' | 'wrong' {
    const replica = answer.headers.get('x-served-by') ?? 'nobody';
    if (answer.status === 200) {
      this.#served[replica] = (this.#served[replica] ?? 0) + 1;
      return 'answered';
    }
    const body = ErrorBodySchema.safeParse(JSON.parse(text));
    const isHonest = body.success && COME_AGAIN.includes(body.data.code) && answer.headers.has('retry-after');
    if (answer.status === 500 && isHonest) {
      this.#comeAgain++;
      return 'come again';
    }
    this.#wrong.push(`${replica} answered ${answer.status} ${text}`);
    return 'wrong';
  }
}

async function balanceOf(url: string, authorization: string): Promise<number> {
  const answer = await fetch(`${url}/api/credits`, { headers: { authorization } });
  return ((await answer.json()) as { balance: number }).balance;
}
