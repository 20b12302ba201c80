import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface TraderOrder {
  /** `signed`: before it reaches the guard; `several`: two of them in one request. */
  readonly kind: 'buy' | 'sell' | 'limit_buy' | 'limit_sell' | 'signed' | 'several';
  readonly tokenId: string;
  /** USD of `buy`, `signed` and each of `several`; shares of the others. */
  readonly amount: number;
  readonly price?: number;
}

/** Where a process ends itself: before a step of its first order, or right after it. */
export type OwnDeath = 'asked' | 'claimed' | 'signed' | 'posting' | 'answered';

/** Faults of a guard that are planted to see them found (planted-state.ts). */
export type PlantedFault = 'claims_after_post' | 'gives_back_unknown' | 'writes_unknown_as_not_sent' | 'posts_again';

/** A process that trades through a guard. */
export interface Trader {
  /** Name of an official client. */
  readonly client: string;
  readonly doorUrl: string;
  readonly verdictUrl: string;
  readonly home: string;
  readonly perDayUsd: number;
  readonly orders: readonly TraderOrder[];
  readonly diesAt: OwnDeath | null;
  /** What its owner decided about entries that are CAUTION; "resize" if absent. */
  readonly owner?: 'says_yes';
  readonly limits?: Readonly<Record<string, number>>;
  /** Its owner takes each BUY for an exit. */
  readonly buysAreExits?: boolean;
  readonly fault?: PlantedFault;
}

/** How it ended, and each of the orders that it came to an end with. */
export interface Traded {
  readonly killed: boolean;
  readonly outcomes: readonly string[];
}

const CHILD = fileURLToPath(new URL('./trader-child.js', import.meta.url));
const PLANT = new URL('./plant.js', import.meta.url).href;

export interface RunningTrader {
  readonly child: ChildProcess;
  readonly ended: Promise<Traded>;
}

export function startTrader(trader: Trader): RunningTrader {
  const { fault } = trader;
  const flags = fault === undefined ? [] : ['--import', PLANT];
  const child = spawn(process.execPath, [...flags, CHILD, JSON.stringify(trader)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...(fault === undefined ? {} : { PLANTED_FAULT: fault }) },
  });
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
