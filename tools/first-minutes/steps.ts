import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How long a command took, and the longest time in which it printed nothing. */
export interface Step {
  readonly seconds: number;
  readonly silentSeconds: number;
}

/** A program that goes on, from when it printed what was waited for. */
export interface Started extends Step {
  readonly found: string;
  stop(): Promise<void>;
}

/** Runs what a newcomer types, in one folder, and notes when each of them prints. */
export class Steps {
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.#cwd = cwd;
    this.#env = { ...process.env, ...env };
  }

  /** Runs a command to its end. Rejects unless it ends with a code that a verdict may have. */
  async run(command: readonly string[]): Promise<Step> {
    const watch = new Watch();
    const child = this.#spawn(command, watch);
    const [code] = await once(child, 'close');
    if (![0, 10, 20].includes(code)) throw new Error(`${command.join(' ')} ended with code ${code}`);
    return watch.step();
  }

  /** Starts a program, and resolves when it has printed this; its first group is what is found. */
  async start(command: readonly string[], ready: RegExp): Promise<Started> {
    const watch = new Watch();
    const child = this.#spawn(command, watch);
    const closed = once(child, 'close');
    const found = await Promise.race([
      watch.find(ready),
      closed.then(([code]) => {
        throw new Error(`${command.join(' ')} ended with code ${code} before it was ready`);
      }),
    ]);
    const step = watch.step();
    return {
      ...step,
      found,
      async stop() {
        process.kill(-child.pid!, 'SIGINT');
        await closed;
      },
    };
  }

  /** In a group of its own, so that a stop reaches what npm started. */
  #spawn([file, ...args]: readonly string[], watch: Watch): ChildProcess {
    const child = spawn(file!, args, { cwd: this.#cwd, env: this.#env, detached: true });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        process.stdout.write(text);
        watch.note(text);
      });
    }
    return child;
  }
}

/** When something was printed, and what. */
class Watch {
  readonly #sinceMs = performance.now();
  #lastMs = this.#sinceMs;
  #silentMs = 0;
  #text = '';
  #look: () => void = () => undefined;

  note(text: string): void {
    this.#silentMs = Math.max(this.#silentMs, performance.now() - this.#lastMs);
    this.#lastMs = performance.now();
    this.#text += text;
    this.#look();
  }

  find(pattern: RegExp): Promise<string> {
    return new Promise((resolve) => {
      this.#look = () => {
        const found = pattern.exec(this.#text);
        if (found !== null) resolve(found[1]!);
      };
      this.#look();
    });
  }

  step(): Step {
    const nowMs = performance.now();
    const silentMs = Math.max(this.#silentMs, nowMs - this.#lastMs);
    return { seconds: (nowMs - this.#sinceMs) / 1_000, silentSeconds: silentMs / 1_000 };
  }
}
