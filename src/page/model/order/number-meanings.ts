import type { OrderNumbers } from '#api/order-numbers';

/** One of the ten numbers: its name in the answer, how people call it, its unit, what it says. */
export interface NumberMeaning {
  readonly key: keyof OrderNumbers;
  readonly label: string;
  readonly unit: string;
  readonly meaning: string;
}

/** In the order of the answer (docs/interface.md, "Numbers"). */
export const NUMBER_MEANINGS: readonly NumberMeaning[] = [
  {
    key: 'best_price',
    label: 'Best price',
    unit: 'USD',
    meaning: 'The first price on the side that the order takes: asks for a BUY, bids for a SELL.',
  },
  {
    key: 'expected_vwap',
    label: 'Average price',
    unit: 'USD',
    meaning: 'What a share costs on average over all levels that the order takes.',
  },
  {
    key: 'expected_slippage_cents',
    label: 'Slippage',
    unit: '¢ a share',
    meaning: 'How far the average price is from the best one. The limits compare this number.',
  },
  {
    key: 'visible_depth_usd',
    label: 'Visible depth',
    unit: 'USD',
    meaning: 'Everything on that side of the book.',
  },
  { key: 'order_vs_depth_pct', label: 'Order in depth', unit: '%', meaning: 'How much of that depth the order is.' },
  {
    key: 'taker_fee_usd',
    label: 'Taker fee',
    unit: 'USD',
    meaning: "The venue's own fee on what is taken, cut at the fifth decimal level by level.",
  },
  {
    key: 'fee_drag_cents_per_share',
    label: 'Fee per share',
    unit: '¢ a share',
    meaning: 'The same fee beside slippage, in the same unit.',
  },
  {
    key: 'fee_category',
    label: 'Fee schedule',
    unit: '',
    meaning: 'Which schedule of the venue the market is under.',
  },
  {
    key: 'safe_size_usd',
    label: 'Safe size',
    unit: 'USD',
    meaning: 'The largest order that is still OK on this book; 0 if none is.',
  },
  {
    key: 'book_age_seconds',
    label: 'Book age',
    unit: 's',
    meaning: 'Time since the venue last confirmed this book.',
  },
];
