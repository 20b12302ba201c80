import { expect } from 'chai';
import fc from 'fast-check';
import type { Bearer } from '#domain/credits/token';
import { walletNumber } from '#test/contract/store.contract';
import { bearerOf } from './credits-home.js';
import type { LedgerBench } from './ledger-bench.js';
import type { LedgerModel } from './ledger-model.js';

/** One thing that happens to the model and to the real ledger. */
export type Command = fc.AsyncCommand<LedgerModel, LedgerBench>;

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** The wallets of a history, by number: few, so that much happens to each. */
export const WALLETS = [1, 2] as const;

let serial = 0;

/** Returns a number for a payment or a request that no other has in this run. */
export function nextSerial(): number {
  return ++serial;
}

/** Makes a command out of what it was drawn with; `run` does it to both and compares. */
export function command<Args>(
  name: string,
  args: fc.Arbitrary<Args>,
  run: (model: LedgerModel, real: LedgerBench, args: Args) => Promise<void>,
): fc.Arbitrary<Command> {
  return args.map((drawn) => ({
    check: () => true,
    run: (model, real) => run(model, real, drawn),
    toString: () => `${name} ${JSON.stringify(drawn)}`,
  }));
}

/** One of the wallets. */
export const wallet = fc.constantFrom(...WALLETS);

/** The codes of a history. */
export const CODES = ['SPRING', 'SUMMER', 'AUTUMN'] as const;

/** The code that a bearer's token came from; null: none. Rows know it by another name. */
export function codeOf(bearer: Bearer): string | null {
  return CODES.find((each) => bearerOf(bearer.wallet, each).code === bearer.code) ?? null;
}

/** Every token of a wallet sees what it should. */
export async function checkBalances(model: LedgerModel, real: LedgerBench, n: number): Promise<void> {
  for (const each of [null, ...CODES]) {
    const seen = await real.credits.balanceOf(bearerOf(walletNumber(n), each));
    expect(seen, `balance of wallet ${n} for a token of ${each ?? 'a purchase'}`).to.deep.equal(model.balance(n, each));
  }
}
