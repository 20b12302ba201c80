import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fill } from '#domain/rating/fill';
import type { TapeMarket } from '#domain/rating/tape-market';

/** What a CSV import brings. */
export interface CsvTape {
  readonly fills: readonly Fill[];
  readonly markets: readonly TapeMarket[];
  /** The display name of all of its wallets; none if absent. */
  readonly name?: string;
}

const FILLS_HEAD = 'wallet,token,condition,event,outcome_index,side,size,price,timestamp,tx,log_index,name';
const MARKETS_HEAD = 'condition,category,fee_rate,scheduled_end,resolved_at,payout_0,payout_1,slug,is_updown';

/** Writes the two files of an import into a folder, and returns their paths. */
export async function writeCsv(dir: string, fillsName: string, { fills, markets, name = '' }: CsvTape) {
  const paths = { fills: join(dir, fillsName), markets: join(dir, `markets-of-${fillsName}`) };
  const rows = fills.map((fill) =>
    [
      ...[fill.wallet, fill.token, fill.condition, fill.event, fill.outcomeIndex, fill.side],
      ...[decimal(fill.sizeMicros), decimal(fill.priceMicros), fill.timeS, fill.tx, fill.logIndex ?? '', name],
    ].join(','),
  );
  const received = markets.map((market) =>
    [
      ...[market.condition, market.category, decimal(market.feeRateMicros), market.scheduledEndS ?? ''],
      ...[market.resolvedAtS ?? '', ...(market.payoutMicros?.map(decimal) ?? ['', '']), market.slug, market.upDown],
    ].join(','),
  );
  await writeFile(paths.fills, [FILLS_HEAD, ...rows].join('\n'));
  await writeFile(paths.markets, [MARKETS_HEAD, ...received].join('\n'));
  return paths;
}

const decimal = (micros: number) => `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`;
