import { z } from 'zod';
import { TextListSchema } from './venue-values.js';

/**
 * Where Gamma says how far the resolution of a market is: one word in each protocol of the venue,
 * and the words so far in a list, which is there also where the word is not.
 */
export const RESOLUTION_FIELDS = {
  umaResolutionStatus: z.string().nullish(),
  umaResolutionStatuses: TextListSchema,
  resolutionStatus: z.string().nullish(),
};

/** What the second protocol says while nobody has proposed a resolution. */
const INACTIVE = 'inactive';

/** Returns the word that counts, of any of the fields; "" while nobody has proposed a resolution. */
export function resolutionStatusOf(wire: {
  readonly umaResolutionStatus?: string | null | undefined;
  readonly umaResolutionStatuses?: readonly string[] | null | undefined;
  readonly resolutionStatus?: string | null | undefined;
}): string {
  const first = (wire.umaResolutionStatus ?? '').trim();
  const second = (wire.resolutionStatus ?? '').trim();
  const listed = (wire.umaResolutionStatuses ?? []).map((word) => word.trim()).filter((word) => word !== '');
  return first || (second.toLowerCase() === INACTIVE ? '' : second) || (listed.at(-1) ?? '');
}
