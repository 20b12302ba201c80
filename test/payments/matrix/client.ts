import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask, type Call } from './payer.js';
import type { Lives } from './seller.js';

/** Times the client sends its payment before it gives up: each may be held for 25 s. */
const ASKS_MAX = 40;
const PAUSE_MS = 250;

/** Sends one and the same call, whatever becomes of the service. */
export class Client {
  readonly #lives: Lives;
  readonly #call: Call;
  readonly answers: Answer[] = [];
  /** Connections that broke though nobody had died. */
  brokenAlive = 0;

  constructor(lives: Lives, call: Call) {
    this.#lives = lives;
    this.#call = call;
  }

  get isDone(): boolean {
    const status = this.answers.at(-1)?.status;
    return status === 200 || status === 402 || this.answers.length === ASKS_MAX;
  }

  /** Returns the first 200 or 402, or null where none comes. */
  async askUntilFinal(): Promise<Answer | null> {
    for (;;) {
      const answer = await this.#askOnce();
      this.answers.push(answer);
      if (this.isDone) return answer.status === 200 || answer.status === 402 ? answer : null;
      await sleep(PAUSE_MS);
    }
  }

  /** Asks again. The service may die of it, and then it is asked once more. */
  async askUntilAnswered(): Promise<Answer> {
    for (let asks = 1; ; asks++) {
      const answer = await this.#askOnce();
      if (answer.status !== 'cut' || asks === ASKS_MAX) return answer;
    }
  }

  async #askOnce(): Promise<Answer> {
    const answer = await ask(await this.#lives.url(), this.#call);
    if (answer.status === 'cut' && !(await this.#lives.diedNow())) this.brokenAlive++;
    return answer;
  }
}
