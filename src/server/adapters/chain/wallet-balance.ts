import { toFunctionSelector } from 'viem/utils';
import type { ChainReader } from '#ports/settlement';
import type { Stopwatch } from '#system/stopwatch';
import type { BaseRpc } from './base-rpc.js';
import { createPace } from './pace.js';
import { toWord } from './payment-logs.js';

const BALANCE_OF = toFunctionSelector('balanceOf(address)');
const GAS = `0x${(200_000).toString(16)}`;
const ZERO = `0x${'0'.repeat(40)}`;
const WORD = /^0x[0-9a-f]{64}$/;
/** Balances asked for at once, and in one second: it is done for strangers. */
const PACE = { inFlightMax: 16, perSecondMax: 50 };

/** Returns `ChainReader.holds`. Beyond the limits of calls, and where nobody answers, it is false. */
export function createBalanceCheck(
  first: <T>(ask: (rpc: BaseRpc) => Promise<T>) => Promise<T | null>,
  stopwatch: Stopwatch,
): ChainReader['holds'] {
  const pace = createPace(stopwatch, PACE);
  return async ({ asset, authorization }) => {
    const data = BALANCE_OF + toWord(authorization.from).slice(2);
    const answer = await pace(() => first((rpc) => rpc.call({ from: ZERO, to: asset, gas: GAS, data }, null)));
    if (answer?.kind !== 'returned' || !WORD.test(answer.data)) return false;
    return BigInt(answer.data) >= BigInt(authorization.value);
  };
}
