import type { WalletAddress } from '#domain/ids';
import { DAY_S } from '#domain/time';
import { amountOf, hash32 } from '../../market/deterministic-ids.js';
import type { TapeRow } from '../../market/tape-rows.js';
import type { DataOptions } from './data-options.js';
import { type Credit, toMicro } from './data-rows.js';

/** Winners are redeemed so long after the market is settled. */
const REDEEM_AFTER_S = 5_400;
/**
 * Rewards come just after midnight UTC on every seventh day, to those who made markets or traded on
 * it.
 */
const CREDIT_DAYS = 7;

/**
 * Returns what came to a wallet without a trade, from what it traded: redeemed winners, rewards and
 * rebates. Any order.
 */
export function creditsOf(user: WalletAddress, { tape, clock }: DataOptions): Credit[] {
  const nowS = Math.floor(clock.nowMs() / 1000);
  const rows = [...tape.newestFirst({ user })];
  return [...redeemed(rows), ...rewarded(rows)].filter((credit) => credit.timestampS <= nowS);
}

function redeemed(rows: readonly TapeRow[]): Credit[] {
  const held = new Map<string, { readonly row: TapeRow; shares: number }>();
  for (const row of rows) {
    if (row.market.payout === null || row.isCombo === true) continue;
    const token = row.market.ids.tokenIds[row.outcome];
    const holding = held.get(token) ?? { row, shares: 0 };
    holding.shares += row.side === 'BUY' ? row.shares : -row.shares;
    held.set(token, holding);
  }
  return [...held.values()].flatMap(({ row, shares }) => {
    const usd = toMicro((shares * (row.market.payout?.[row.outcome] ?? 0)) / 1e6);
    if (usd <= 0) return [];
    const timestampS = Math.floor((row.market.closedAtMs ?? 0) / 1000) + REDEEM_AFTER_S;
    const transactionHash = hash32(`redeem:${row.wallet.address}:${row.market.spec.slug}:${row.outcome}`);
    return [{ type: 'REDEEM' as const, wallet: row.wallet, timestampS, usd, transactionHash, row }];
  });
}

function rewarded(rows: readonly TapeRow[]): Credit[] {
  const creditDays = new Map<number, TapeRow>();
  for (const row of rows) {
    const day = Math.floor(row.timestampS / DAY_S);
    if (!row.taker && day % CREDIT_DAYS === 0) creditDays.set(day, row);
  }
  return [...creditDays].map(([day, { wallet }], at) => {
    const name = `credit:${wallet.address}:${day}`;
    const type = at % 2 === 0 ? ('MAKER_REBATE' as const) : ('REWARD' as const);
    const transactionHash = hash32(name);
    return {
      type,
      wallet,
      timestampS: (day + 1) * DAY_S + 300,
      usd: amountOf(name, 0.1, 20),
      transactionHash,
      row: null,
    };
  });
}
