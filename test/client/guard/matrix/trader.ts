import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface TraderOrder {
  readonly kind: 'buy' | 'sell' | 'limit';
  readonly tokenId: string;
  /** USD of a BUY, shares of the others. */
  readonly amount: number;
  readonly price?: number;
}

/** A process that trades through a guard. */
export interface Trader {
  /** Name of an official client. */
  readonly client: string;
  readonly doorUrl: string;
  readonly verdictUrl: string;
  readonly home: string;
  readonly perDayUsd: number;
  readonly orders: readonly TraderOrder[];
  readonly diesAt: 'claimed' | 'signed' | 'answered' | null;
}

/** How it ended, and each of the orders that it came to an end with. */
export interface Traded {
  readonly killed: boolean;
  readonly outcomes: readonly string[];
}

const CHILD = fileURLToPath(new URL('./trader-child.js', import.meta.url));

export interface RunningTrader {
  readonly child: ChildProcess;
  readonly ended: Promise<Traded>;
}

export function startTrader(trader: Trader): RunningTrader {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(trader)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const ended = new Promise<Traded>((resolve, reject) => {
    child.once('close', (code, signal) => {
      if (code !== 0 && signal !== 'SIGKILL')
        return reject(new Error(`a trader ended with ${code ?? signal}: ${printed}`));
      const outcomes = printed.split('\n').filter((line) => line !== '');
      resolve({ killed: signal === 'SIGKILL', outcomes: outcomes.map((line) => line.slice(line.indexOf(' ') + 1)) });
    });
  });
  return { child, ended };
}
