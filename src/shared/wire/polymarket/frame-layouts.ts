import { FixedText } from './frame-words.js';

/** The values of a change, each under its key. */
const VALUES = {
  asset_id: 'token',
  price: 'price',
  size: 'size',
  side: 'side',
  hash: 'hash',
  best_bid: 'unused',
  best_ask: 'unused',
} as const;
type Key = keyof typeof VALUES;
export type ChangeValue = (typeof VALUES)[Key];

/** The orders of keys in which changes were seen (docs/venue.md, "Market channel"). */
const ORDERS: readonly (readonly Key[])[] = [
  ['asset_id', 'price', 'size', 'side', 'hash', 'best_bid', 'best_ask'],
  ['asset_id', 'price', 'side', 'size', 'hash', 'best_bid', 'best_ask'],
];

/** What stands between the values of a `price_change`, from the beginning to the end. */
export interface FrameLayout {
  readonly beforeMarket: FixedText;
  readonly beforeChanges: FixedText;
  /** The values of a change in their order, with what stands behind each but the last. */
  readonly values: readonly ChangeValue[];
  readonly between: readonly FixedText[];
  readonly beforeNextChange: FixedText;
  readonly beforeTimestamp: FixedText;
  readonly end: FixedText;
}

/** Layouts that were seen: with blanks and without, `size` before `side` and behind it. */
export const FRAME_LAYOUTS: readonly FrameLayout[] = ORDERS.flatMap((keys) => [
  layoutOf(keys, ':', ','),
  layoutOf(keys, ': ', ', '),
]);

function layoutOf(keys: readonly Key[], colon: string, comma: string): FrameLayout {
  const [first, ...others] = keys.map((key) => `"${key}"${colon}"`);
  return {
    beforeMarket: new FixedText(`{"market"${colon}"0x`),
    beforeChanges: new FixedText(`"${comma}"price_changes"${colon}[{${first}`),
    values: keys.map((key) => VALUES[key]),
    between: others.map((key) => new FixedText(`"${comma}${key}`)),
    beforeNextChange: new FixedText(`"}${comma}{${first}`),
    beforeTimestamp: new FixedText(`"}]${comma}"timestamp"${colon}"`),
    end: new FixedText(`"${comma}"event_type"${colon}"price_change"}`),
  };
}
