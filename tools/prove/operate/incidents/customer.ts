import { type Bought, buyOnce, type Call, PAYING_CLIENTS } from '#test/support/paying-clients';
import type { Account } from '#test/support/signed-payments';
import { signUnsent } from '#test/support/unsent-payment';
import type { Operated } from '../support/operated.js';

const [OFFICIAL] = PAYING_CLIENTS;
const WALLET_MICROS = 12_000_000n;

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Somebody who has credits and a wallet, and meets an incident. */
export class Customer {
  readonly #operated: Operated;
  readonly account: Account;
  readonly #token: string;

  private constructor(operated: Operated, account: Account, token: string) {
    this.#operated = operated;
    this.account = account;
    this.#token = token;
  }

  static async withPack(operated: Operated): Promise<Customer> {
    const account = await operated.money.newWallet(WALLET_MICROS);
    const { answer, text } = await OFFICIAL!.buy(account, {
      url: `${operated.url}/api/credits`,
      init: { method: 'POST' },
    });
    if (answer.status !== 200) throw new Error(`the pack was answered with ${answer.status} ${text}`);
    return new Customer(operated, account, (JSON.parse(text) as { token: string }).token);
  }

  /** Asks for a verdict from credits. */
  check(query = `slug=${this.#operated.local.facts.exampleSlug}&usd=25`): Promise<Answer> {
    return this.get(`/api/preflight_trade?${query}`);
  }

  async balance(): Promise<number> {
    return Number((await this.get('/api/credits')).body.balance);
  }

  get(path: string): Promise<Answer> {
    return this.#ask(path, this.#bearer);
  }

  /** Pays by x402 for a verdict, or for what the call says, and does not repeat it. */
  buy(call: Call = this.#operated.call): Promise<Bought> {
    return buyOnce(this.account, call);
  }

  /** Signs the terms of now, and sends nothing. */
  signed(): Promise<Readonly<Record<string, string>>> {
    return signUnsent(this.account, this.#operated.call.url);
  }

  /** Sends a payment that was signed before. */
  pay(signed: Readonly<Record<string, string>>): Promise<Answer> {
    return this.#ask(this.#operated.call.url.slice(this.#operated.url.length), signed);
  }

  /** Asks for a verdict from credits, once however often it is asked. */
  checkOnce(key: string): Promise<Answer> {
    const path = this.#operated.call.url.slice(this.#operated.url.length);
    return this.#ask(path, { ...this.#bearer, 'Idempotency-Key': key });
  }

  /** Sends the same payment again. */
  repeat({ sent }: Bought, { url, init }: Call = this.#operated.call): Promise<Answer> {
    return this.#ask(url.slice(this.#operated.url.length), { [sent.name]: sent.value }, init);
  }

  /** In micro-USDC. */
  money(): Promise<bigint> {
    return this.#operated.money.balanceOf(this.account.address);
  }

  get #bearer() {
    return { authorization: `Bearer ${this.#token}` };
  }

  async #ask(path: string, headers: Readonly<Record<string, string>>, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(`${this.#operated.url}${path}`, { ...init, headers });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('Retry-After'),
      body: (await answer.json()) as Answer['body'],
    };
  }
}
