import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Run, runProgram } from '#test/support/run-program';
import { tempFolder } from '#test/support/temp-folder';
import { tapeCsv } from './wallets.js';

/**
 * The built service of a checkout, which is only ever started and asked: nothing of it is imported.
 */
export interface Checkout {
  readonly dataDir: string;
  preflight(...args: readonly string[]): Promise<Run>;
  /** Starts the service and returns its port. */
  start(env: Readonly<Record<string, string>>): Promise<number>;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

const LISTENING = /"port":(\d+)/;
const CLOCK = new URL('./frozen-clock.js', import.meta.url).href;

export function openCheckout(folder: string): Checkout {
  const dataDir = tempFolder('golden');
  const script = (name: string) => join(resolve(folder), 'dist/src', name);
  const base = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    GOLDEN_CLOCK: 'frozen',
    NODE_OPTIONS: `--import=${CLOCK}`,
  };
  let child: ChildProcess | undefined;
  let stop = async () => {};
  return {
    dataDir,
    preflight: (...args) => runProgram(process.execPath, [script('cli/main.js'), ...args], { env: base }),
    async start(env) {
      const started = spawn(process.execPath, [script('main.js')], {
        env: { ...base, ...env, NODE_OPTIONS: `${base.NODE_OPTIONS} ${env.NODE_OPTIONS ?? ''}` },
      });
      child = started;
      const gone = new Promise((done) => started.once('close', done));
      stop = async () => {
        started.kill('SIGTERM');
        await gone;
      };
      return listeningPort(started, gone);
    },
    signal: (name) => child?.kill(name),
    async stop() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function listeningPort(child: ReturnType<typeof spawn>, gone: Promise<unknown>): Promise<number> {
  let output = '';
  return new Promise((done, reject) => {
    const note = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
      const port = LISTENING.exec(output)?.[1];
      if (port !== undefined) done(Number(port));
    };
    child.stdout?.on('data', note);
    child.stderr?.on('data', note);
    void gone.then(() => reject(new Error(`the service ended:\n${output}`)));
  });
}

/** Writes the tape of the rated wallets into the data directory, for `preflightctl tape import`. */
export function writeTapeFiles({ dataDir }: Checkout): { readonly fills: string; readonly markets: string } {
  const files = { fills: join(dataDir, 'golden-fills.csv'), markets: join(dataDir, 'golden-markets.csv') };
  const csv = tapeCsv();
  writeFileSync(files.fills, csv.fills);
  writeFileSync(files.markets, csv.markets);
  return files;
}
