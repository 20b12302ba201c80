import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * A process of its own, started for a benchmark. It ends when it is stopped, and when this process
 * ends.
 */
export interface Child<Ready> {
  /** What it said when it was ready. */
  readonly ready: Ready;
  ask(question: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** What a child can be asked, by name. */
export type Answers = Readonly<Record<string, () => unknown>>;

interface Question {
  readonly id: number;
  readonly question: string;
}

interface Answer {
  readonly id: number;
  readonly answer: unknown;
}

/** The longest a child may take to start. */
const START_WAIT_MS = 60_000;

/**
 * Starts a compiled module as a process; `options` reach it as JSON. Rejects where it ends before
 * it is ready.
 */
export async function startChild<Ready>(module: URL, options: object): Promise<Child<Ready>> {
  const child = fork(fileURLToPath(module), [JSON.stringify(options)]);
  const ready = (await firstMessage(child)) as Ready;
  let lastId = 0;
  return {
    ready,
    ask: (question) => askChild(child, { id: ++lastId, question }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/**
 * Called by a child: says that it is ready, answers questions, and runs `close` and ends when its
 * parent lets go of it.
 */
export function serveParent(ready: object, answers: Answers, close: () => Promise<void>): void {
  process.on('message', async ({ id, question }: Question) => {
    process.send?.({ id, answer: await answers[question]!() } satisfies Answer);
  });
  process.once('disconnect', () => close().finally(() => process.exit()));
  process.send?.(ready);
}

/** Returns the options a child was started with. */
export function childOptions<Options>(): Options {
  return JSON.parse(process.argv[2]!) as Options;
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const deadline = setTimeout(() => child.kill(), START_WAIT_MS);
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${child.spawnargs.at(-2)} ended before it was ready (${signal ?? code})`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message;
  } finally {
    clearTimeout(deadline);
    ended.catch(() => undefined);
  }
}

function askChild(child: ChildProcess, question: Question): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`a child ended while it was asked for ${question.question}`));
    const onMessage = ({ id, answer }: Answer) => {
      if (id !== question.id) return;
      child.off('message', onMessage).off('exit', onExit);
      resolve(answer);
    };
    child.on('message', onMessage).once('exit', onExit);
    child.send(question);
  });
}
