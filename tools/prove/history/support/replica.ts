import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SHORT_LIVED } from '#test/support/short-lived';
import { PROCESS_START_MS } from '#test/support/time-limits';
import type { Order, OrderAnswer } from './replica-child.js';

const CHILD = fileURLToPath(new URL('./replica-child.js', import.meta.url));
const OUTPUT_CHARS_MAX = 4_000;

type OrderWithoutId<T extends Order = Order> = T extends Order ? Omit<T, 'id'> : never;

/** One life of a replica, a process of the whole service. */
export class Replica {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #open = new Map<number, (answer: OrderAnswer) => void>();
  #lastId = 0;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
    child.on('message', (answer: OrderAnswer) => {
      this.#open.get(answer.id)?.(answer);
      this.#open.delete(answer.id);
    });
    child.once('exit', () => {
      for (const [id, answer] of this.#open) answer({ id, refused: 'the replica died' });
    });
  }

  /** Resolves when it listens; rejects, with its last words, where it ends before. */
  static async start(env: Readonly<Record<string, string>>): Promise<Replica> {
    const child = fork(CHILD, [], {
      execArgv: [...SHORT_LIVED],
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-OUTPUT_CHARS_MAX);
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), PROCESS_START_MS);
    const ready = once(child, 'message').then(([message]) => message as { readonly port: number });
    const ended = once(child, 'exit').then(() => null);
    const facts = await Promise.race([ready, ended]);
    clearTimeout(timer);
    if (facts === null) throw new Error(`a replica does not start:\n${said}`);
    return new Replica(child, facts.port);
  }

  /** What it refused, or never answered because it died, rejects. */
  async send(order: OrderWithoutId): Promise<number | null> {
    const id = ++this.#lastId;
    const answer = await new Promise<OrderAnswer>((resolve) => {
      this.#open.set(id, resolve);
      this.#child.send({ ...order, id }, (error) => {
        if (error !== null) resolve({ id, refused: String(error) });
      });
    });
    if ('refused' in answer) throw new Error(answer.refused);
    return answer.balance;
  }

  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  /** SIGKILL: resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
