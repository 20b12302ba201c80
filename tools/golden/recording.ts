import type { Run } from '#test/support/run-program';
import type { Checkout } from './checkout.js';
import { type Answer, exchange } from './exchange.js';
import { normalise } from './normalise.js';

const SENT_CHARS_MAX = 400;

/** What was sent and what came back, by name. */
export type Entries = Readonly<Record<string, unknown>>;

/** Sends requests to a running service, one after the other, and keeps what they are answered. */
export class Recording {
  readonly #port: number;
  readonly #checkout: Checkout;
  readonly #entries = new Map<string, unknown>();

  constructor(port: number, checkout: Checkout) {
    this.#port = port;
    this.#checkout = checkout;
  }

  /** Sends bytes and keeps the answer under the name; `look` decides what of it is kept. */
  async ask(
    name: string,
    bytes: string | Buffer,
    look: (answer: Answer) => unknown = (answer) => answer,
  ): Promise<Answer> {
    const answer = await exchange(this.#port, bytes);
    const sent = String(bytes)
      .slice(0, SENT_CHARS_MAX)
      .replaceAll(/tk_0x[0-9a-f]{40}_[A-Za-z0-9_-]+/g, 'tk_…');
    this.#keep(name, { sent, answer: look(normalise(answer)) });
    return answer;
  }

  /** Sends bytes and keeps nothing. */
  look(bytes: string): Promise<Answer> {
    return exchange(this.#port, bytes);
  }

  /** Runs a command of the operator and keeps what it prints. */
  async command(name: string, line: string): Promise<Run> {
    const args = line.split(' ');
    const printed = await this.#checkout.preflight(...args);
    const clean = (text: string) =>
      text
        .replaceAll(this.#checkout.dataDir, '<data dir>')
        .replaceAll(/(tk_0x[0-9a-f]{40}_)[A-Za-z0-9_-]+/g, '$1<secret>');
    this.#keep(`cli: ${name}`, { args, ...printed, stdout: clean(printed.stdout), stderr: clean(printed.stderr) });
    return printed;
  }

  entries(): Entries {
    return Object.fromEntries([...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #keep(name: string, entry: unknown): void {
    if (this.#entries.has(name)) throw new Error(`two requests are named ${name}`);
    this.#entries.set(name, entry);
  }
}

/** Returns the JSON body of an answer. */
export function jsonOf<T>({ body }: Answer): T {
  return JSON.parse(body) as T;
}
