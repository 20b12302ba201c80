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

/** Condition ids of the first protocol have 32 bytes. */
const CONDITION_CHARS = 66;

/**
 * Returns the tokens of a market, in the order of its outcomes; null where it does not say them. A
 * market without a version is of the first protocol, unless its condition cannot be.
 */
export function tokensOf(wire: {
  readonly conditionId: string;
  readonly version?: string | null | undefined;
  readonly clobTokenIds?: readonly string[] | null | undefined;
  readonly positionIds?: readonly string[] | null | undefined;
}): readonly string[] | null {
  if (wire.version === 'v2') return wire.positionIds ?? null;
  const isFirst = wire.version === 'v1' || wire.conditionId.length === CONDITION_CHARS;
  return isFirst ? (wire.clobTokenIds ?? null) : null;
}
