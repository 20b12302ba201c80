import { type Clip, mergeClips } from './clips.js';
import type { Fill } from './fill.js';
import { groupBy } from './group-by.js';
import type { RatingConfig } from './rating-config.js';

/**
 * The first time a wallet bought a token, and what it did around it (docs/ratings.md, "First
 * entries").
 */
export interface FirstEntry {
  /** What a copier mirrors. */
  readonly clip: Clip;
  /** BUY clips of the token within `clipWindowS` of the first, which is one of them. */
  readonly clips: number;
  /** Most of what was bought was sold again soon and near the same price: wash-like. */
  readonly roundTrip: boolean;
  /** The token was sold before it was first bought: split, merge, or held since before the tape. */
  readonly sellFirst: boolean;
}

/**
 * Returns the first entry of every token that is bought in these fills of one wallet. Later BUYs
 * never make a new one.
 */
export function findFirstEntries(fills: readonly Fill[], config: RatingConfig): readonly FirstEntry[] {
  const tokens = groupBy(fills, ({ token }) => token);
  return [...tokens.values()].flatMap((ofToken) => findFirstEntry(ofToken, config));
}

/** None or one, of fills of one token. */
function findFirstEntry(fills: readonly Fill[], config: RatingConfig): readonly FirstEntry[] {
  const clips = mergeClips(fills.filter(({ side }) => side === 'BUY'));
  if (clips.length === 0) return [];
  const clip = clips.reduce(earlier);
  return [
    {
      clip,
      clips: clips.filter(({ timeS }) => timeS <= clip.timeS + config.clipWindowS).length,
      roundTrip: isRoundTrip(clip, fills, config),
      sellFirst: fills.some(({ side, timeS }) => side === 'SELL' && timeS < clip.timeS),
    },
  ];
}

/**
 * Ties in one second: the highest price is the worst case for the copier, the lowest hash makes it
 * independent of the source.
 */
function earlier(a: Clip, b: Clip): Clip {
  if (a.timeS !== b.timeS) return a.timeS < b.timeS ? a : b;
  if (a.priceMicros !== b.priceMicros) return a.priceMicros > b.priceMicros ? a : b;
  return a.tx <= b.tx ? a : b;
}

function isRoundTrip(entry: Clip, fills: readonly Fill[], config: RatingConfig): boolean {
  let bought = 0;
  let sold = 0;
  for (const { side, timeS, priceMicros, sizeMicros } of fills) {
    if (timeS < entry.timeS || timeS > entry.timeS + config.roundTripWindowS) continue;
    if (side === 'BUY') bought += sizeMicros;
    else if (Math.abs(priceMicros - entry.priceMicros) <= config.roundTripPriceMicros) sold += sizeMicros;
  }
  return bought > 0 && sold * 100 >= bought * config.roundTripSoldPctMin;
}
