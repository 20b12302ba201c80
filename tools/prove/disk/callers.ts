import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem/accounts';
import { PAID_OPERATIONS } from '#test/payments/matrix/cells';
import { type Answer, ask, type Call, sign } from '#test/payments/matrix/payer';
import type { ToolAnswer } from '#test/server/mcp/support/mcp-clients';
import { callTool } from '#test/server/mcp/support/messages';
import type { PaymentWorld } from '#test/support/payment-world';

const [TRADE] = PAID_OPERATIONS;
const PAUSE_MS = 250;

/** In the order of the table. */
export const DOORS = ['/healthz', 'sandbox', 'terms (402)', 'credits', 'credits by MCP', 'x402'] as const;
export type Door = (typeof DOORS)[number];

/** An answer, or that there was none, and how long it took. */
export interface Seen {
  readonly status: Answer['status'];
  readonly ms: number;
}

/** Something that was asked to be paid for. */
interface Purchase {
  readonly call: Call;
  readonly answer: Answer;
}

/** Those who call a service while its disk fails, and what they got. */
export class Callers {
  readonly seen = new Map<Door, Seen[]>(DOORS.map((door) => [door, []]));
  /** One credit each, by the name of its key. */
  readonly debits: Purchase[] = [];
  readonly payments: (Purchase & { readonly account: PrivateKeyAccount })[] = [];
  readonly #url: string;
  readonly #token: string;
  #payments: { readonly call: Call; readonly account: PrivateKeyAccount }[] = [];
  #calls = 0;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Signs so many payments in advance: their terms are asked for while all is well. */
  async sign(world: PaymentWorld, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const account = await world.newPayer(2n * TRADE!.priceMicros);
      const call = await sign(this.#url, TRADE!.call, { version: 2, account, windowS: null });
      this.#payments.push({ call, account });
    }
  }

  /** Each door is asked once, and that is not counted among what was seen. */
  async warm(): Promise<void> {
    for (const door of DOORS) await this.#ask(door);
    for (const seen of this.seen.values()) seen.length = 0;
  }

  /** All doors are asked again and again, each by a caller of its own that waits for its answer. */
  async callUntil(over: Promise<unknown>): Promise<void> {
    let isOver = false;
    void over.then(() => {
      isOver = true;
    });
    const go = async (door: Door) => {
      while (!isOver) {
        await this.#ask(door);
        await sleep(PAUSE_MS);
      }
    };
    await Promise.all(DOORS.map(go));
  }

  async #ask(door: Door): Promise<void> {
    const get = (path: string): Call => ({ method: 'GET', path });
    switch (door) {
      case '/healthz':
        return void (await this.#timed(door, get('/healthz')));
      case 'sandbox':
        return void (await this.#timed(door, get('/api/preflight_trade?sandbox=1')));
      case 'terms (402)':
        return void (await this.#timed(door, TRADE!.call));
      case 'credits': {
        const call = this.#debit();
        return void this.debits.push({ call, answer: await this.#timed(door, call) });
      }
      case 'credits by MCP':
        return this.#askByMcp();
      case 'x402': {
        const next = this.#payments.shift();
        if (next !== undefined) this.payments.push({ ...next, answer: await this.#timed(door, next.call) });
      }
    }
  }

  #debit(): Call {
    const key = `call-${++this.#calls}`;
    return { ...TRADE!.call, headers: { authorization: `Bearer ${this.#token}`, 'Idempotency-Key': key } };
  }

  async #timed(door: Door, call: Call): Promise<Answer> {
    const fromMs = performance.now();
    const answer = await ask(this.#url, call);
    this.seen.get(door)!.push({ status: answer.status, ms: performance.now() - fromMs });
    return answer;
  }

  /** Counted among the debits: the same key by REST repeats it. */
  async #askByMcp(): Promise<void> {
    const call = this.#debit();
    const query = new URL(TRADE!.call.path, this.#url).searchParams;
    const params = {
      name: 'preflight_trade',
      arguments: { slug: query.get('slug'), usd: Number(query.get('usd')) },
      _meta: { 'preflight/idempotency-key': call.headers!['Idempotency-Key'] },
    };
    const { authorization } = call.headers as { readonly authorization: string };
    const fromMs = performance.now();
    const status = await callTool(this.#url, params, { authorization }).then(
      (result: ToolAnswer | undefined) => (result === undefined || result.isError === true ? 500 : 200),
      () => 'cut' as const,
    );
    this.seen.get('credits by MCP')!.push({ status, ms: performance.now() - fromMs });
    const answer: Answer = { status, body: '', receipt: null, demand: null, retryAfter: null };
    this.debits.push({ call, answer });
  }
}
