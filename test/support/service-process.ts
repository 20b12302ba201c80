import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SHORT_LIVED } from './short-lived.js';
import { PROCESS_START_MS } from './time-limits.js';

/** A service as a process of its own, until it dies. */
export interface ServiceProcess {
  /** Where it listens; null where it died before it did. */
  readonly url: string | null;
  readonly pid: number;
  /** Resolves when it is gone: by which signal, or with which exit code. */
  readonly gone: Promise<NodeJS.Signals | number>;
  isAlive(): boolean;
  /** Stops it where it is, and lets it go on. */
  pause(): void;
  goOn(): void;
  /** Whether it stands still, by itself or by `pause`. */
  isStopped(): boolean;
  /** Ends it with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  /** The last of what it wrote. */
  output(): string;
}

const OUTPUT_CHARS_MAX = 20_000;
const LISTENING = /"port":(\d+)/;

/**
 * Starts a script that writes `"port":N` when it listens on loopback, with this environment and no
 * other. Resolves when it listens or is killed. Rejects where it ends by itself, with what it
 * wrote.
 */
export async function startServiceProcess(
  script: string,
  {
    env,
    args = [],
    onOutput,
  }: {
    readonly env: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    /** Gets what it writes, as it comes, from its first moment on. */
    readonly onOutput?: (text: string, process: Pick<ServiceProcess, 'isAlive' | 'isStopped' | 'goOn'>) => void;
  },
): Promise<ServiceProcess> {
  const child = endingWithUs(
    spawn(process.execPath, [...SHORT_LIVED, script, ...args], { env: { PATH: process.env.PATH, ...env } }),
  );
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const pause = () => void child.kill('SIGSTOP');
  const goOn = () => void child.kill('SIGCONT');
  const isStopped = () => isAlive() && /^T/.test(stateOf(child.pid!));
  let output = '';
  const gone = new Promise<NodeJS.Signals | number>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code ?? 0));
  });
  const listening = new Promise<string>((resolve) => {
    const note = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARS_MAX);
      onOutput?.(chunk.toString(), { isAlive, isStopped, goOn });
      const port = LISTENING.exec(output)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout.on('data', note);
    child.stderr.on('data', note);
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  const timer = setTimeout(() => void kill(), PROCESS_START_MS);
  const url = await Promise.race([listening, gone.then(() => null)]);
  clearTimeout(timer);
  if (url === null && (await gone) !== 'SIGKILL') throw new Error(`${script} ended with ${await gone}:\n${output}`);
  return { url, pid: child.pid!, gone, isAlive, pause, goOn, isStopped, kill, output: () => output };
}

/**
 * One letter, as ps shows it. What asks may hold the servers that others wait for, so it asks
 * without ps if it can.
 */
function stateOf(pid: number): string {
  if (process.platform === 'linux') return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!;
  return spawnSync('ps', ['-o', 'state=', '-p', String(pid)]).stdout.toString();
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function endingWithUs<T extends ChildProcess>(child: T): T {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
