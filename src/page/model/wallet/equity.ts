import type { WalletProfile } from '#client/answers';
import { withSign } from '../texts.js';

type Month = WalletProfile['older'];

/** What a copier had made at the end of a month, in stakes: one for each entry that it copied. */
export interface EquityPoint {
  readonly name: string;
  readonly entries: number;
  /** Of this month alone. */
  readonly profit: number;
  readonly total: number;
  /** Whether the month tests what was picked before it. */
  readonly isOutOfSample: boolean;
}

/**
 * Returns the copier's profit month by month, after fees, with one stake on each entry that passes
 * the filter. null: no month has any.
 */
export function equityOf(profile: Pick<WalletProfile, 'older' | 'in_sample' | 'out_of_sample'>) {
  const months: readonly (readonly [name: string, month: Month])[] = [
    ['Older', profile.older],
    ['In sample', profile.in_sample],
    ['Out of sample', profile.out_of_sample],
  ];
  if (months.every(([, { roi_fee_inclusive_pct: roi }]) => typeof roi !== 'number')) return null;
  let total = 0;
  return months.map(([name, month], at): EquityPoint => {
    const profit = (month.entries * (month.roi_fee_inclusive_pct ?? 0)) / 100;
    total += profit;
    return { name, entries: month.entries, profit, total, isOutOfSample: at === months.length - 1 };
  });
}

/** The ends of the scale of a copier's profit; zero is always on it. */
export function equityScale(points: readonly Pick<EquityPoint, 'total'>[]): {
  readonly low: number;
  readonly high: number;
} {
  const totals = points.map(({ total }) => total);
  const [low, high] = [Math.min(0, ...totals), Math.max(0, ...totals)];
  const room = Math.max(high - low, 1) * 0.15;
  return { low: low < 0 ? low - room : low, high: high > 0 ? high + room : Math.max(high, low < 0 ? 0 : 1) };
}

/** Returns a profit in stakes with its sign, as in "+9.1". */
export function stakesText(stakes: number): string {
  return withSign(stakes, Math.abs(stakes).toFixed(1));
}
