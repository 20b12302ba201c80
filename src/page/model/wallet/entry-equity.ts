import type { WalletEvidencePayload } from '#api/wallets/wallet-evidence';
import { walletPayloadFault } from '#client/evidence/wallet-payload-form';
import { type CopierEquity, copierEquity, type EquityStep } from '#judge/wallet/copier-equity';
import { withSign } from '../texts.js';
import { equityScale } from './equity.js';

/** A place in the picture, in parts of its width and its height from the top. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** What was settled in one of the three months. */
interface EquityMonth {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly startsOn: string;
  readonly entries: number;
  readonly profitUsd: number;
  /** At its end. */
  readonly totalUsd: number;
}

/** The copier's profit as it is drawn: it stands until the next entry is settled. */
export interface EntryEquity {
  readonly entries: number;
  readonly stakeUsd: number;
  readonly line: readonly Place[];
  readonly zeroY: number;
  readonly months: readonly EquityMonth[];
  readonly last: Place & { readonly totalUsd: number };
  readonly endsOn: string;
}

const MONTHS = ['Older', 'In sample', 'Out of sample'] as const;

/**
 * Returns the copier's profit entry by entry from the evidence of an answer; null if that has no
 * entries, none that counts, or another form.
 */
export function entryEquity(payload: unknown): EntryEquity | null {
  if (walletPayloadFault(payload) !== null) return null;
  const equity = copierEquity((payload as WalletEvidencePayload).basis);
  return equity === null || equity.steps.length === 0 ? null : drawn(equity);
}

function drawn({ windows, stakeUsd, steps }: CopierEquity): EntryEquity {
  const { fromS, inSampleFromS, outOfSampleFromS, asOfS } = windows;
  const { low, high } = equityScale(steps.map(({ totalUsd }) => ({ total: totalUsd })));
  const x = (timeS: number) => Math.min(1, Math.max(0, (timeS - fromS) / (asOfS - fromS)));
  const y = (usd: number) => (high - usd) / (high - low);
  const line = steps.flatMap(({ settledAtS, profitUsd, totalUsd }) => [
    { x: x(settledAtS), y: y(totalUsd - profitUsd) },
    { x: x(settledAtS), y: y(totalUsd) },
  ]);
  const last = steps.at(-1)!;
  const ends = [fromS, inSampleFromS, outOfSampleFromS, asOfS];
  return {
    entries: steps.length,
    stakeUsd,
    line: [{ x: 0, y: y(0) }, ...line, { x: 1, y: y(last.totalUsd) }],
    zeroY: y(0),
    months: MONTHS.map((name, at) => {
      const [startS, endS] = [ends[at]!, ends[at + 1]!];
      return { name, from: x(startS), to: x(endS), startsOn: dayText(startS), ...summed(steps, startS, endS) };
    }),
    last: { x: x(last.settledAtS), y: y(last.totalUsd), totalUsd: last.totalUsd },
    endsOn: dayText(asOfS),
  };
}

/** What was settled from one moment to another, and the total by then. */
function summed(steps: readonly EquityStep[], startS: number, endS: number) {
  const byThen = steps.filter(({ settledAtS }) => settledAtS < endS);
  const before = byThen.filter(({ settledAtS }) => settledAtS < startS);
  const [totalUsd, totalBeforeUsd] = [byThen.at(-1)?.totalUsd ?? 0, before.at(-1)?.totalUsd ?? 0];
  return { entries: byThen.length - before.length, profitUsd: totalUsd - totalBeforeUsd, totalUsd };
}

/** Returns a profit in dollars with its sign, as in "+132.5 USD". */
export function profitText(usd: number): string {
  const digits = Math.abs(usd).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return `${withSign(usd, digits)} USD`;
}

/** Returns a day in UTC, as in "Aug 29". */
function dayText(timeS: number): string {
  return new Date(timeS * 1e3).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
}
