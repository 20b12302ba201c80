import type { OrderNumbers as NumbersBody } from '#api/order-verdict';
import type { OrderNumbers } from '#domain/order/order-facts';

/** Returns the numbers under the names of the interface (docs/interface.md, "Numbers"). */
export function toNumbersBody(numbers: OrderNumbers): NumbersBody {
  return {
    best_price: numbers.bestPrice,
    expected_vwap: numbers.expectedVwap,
    expected_slippage_cents: numbers.expectedSlippageCents,
    visible_depth_usd: numbers.visibleDepthUsd,
    order_vs_depth_pct: numbers.orderVsDepthPct,
    taker_fee_usd: numbers.takerFeeUsd,
    fee_drag_cents_per_share: numbers.feeDragCentsPerShare,
    fee_category: numbers.feeCategory,
    safe_size_usd: numbers.safeSizeUsd,
    book_age_seconds: numbers.bookAgeSeconds,
  };
}
