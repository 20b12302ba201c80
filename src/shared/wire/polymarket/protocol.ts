import { z } from 'zod';
import { TextListSchema } from './venue-values.js';

/**
 * The fields by which a Gamma market says which protocol of the venue it is of, and its tokens.
 * `version` alone decides which of the lists is meant: the other one may be there too.
 */
export const PROTOCOL_FIELDS = {
  version: z.union([z.literal(['', 'v1', 'v2']), z.null()]).optional(),
  clobTokenIds: TextListSchema,
  positionIds: TextListSchema,
};

/** Returns the tokens of a market, in the order of its outcomes; null where it does not say them. */
export function tokensOf(wire: {
  readonly version?: string | null | undefined;
  readonly clobTokenIds?: readonly string[] | null | undefined;
  readonly positionIds?: readonly string[] | null | undefined;
}): readonly string[] | null {
  return (wire.version === 'v2' ? wire.positionIds : wire.clobTokenIds) ?? null;
}
