import type { WalletProfile } from '#client/answers';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { countText } from '../texts.js';

const { sampleFairMin: fair, sampleSolidMin: solid } = RATING_CONFIG;

const SAMPLES: Readonly<Record<WalletProfile['sample'], string>> = {
  thin: `fewer than ${fair} entries pass the filter: the figures can mean nearly anything`,
  fair: `${fair} to ${solid - 1} entries pass the filter: a direction shows, not more`,
  solid: `${solid} entries or more pass the filter`,
};

/** Says how far the sample carries. */
export function sampleText({
  sample,
  entries_needed: needed,
}: Pick<WalletProfile, 'sample' | 'entries_needed'>): string {
  const size = `${sample}: ${SAMPLES[sample] ?? 'of an unknown size'}`;
  if (needed === null) return `${size}.`;
  if (needed === 0) return `${size}. No more are needed to rule out luck.`;
  return `${size}. At this rate ${countText(needed, 'more entry', 'more entries')} would rule out luck.`;
}
