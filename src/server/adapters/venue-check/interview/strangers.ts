import { createHash } from 'node:crypto';
import { parseCondition, parseTokenId } from '#domain/ids';

/** Names in the form of the venue's of which it has never heard. */

const digest = createHash('sha256').update('a market that was never listed').digest('hex');

export const UNKNOWN_TOKEN = parseTokenId(BigInt(`0x${digest}`).toString())!;
export const UNKNOWN_CONDITION = parseCondition(`0x${digest}`)!;
export const UNKNOWN_WALLET = `0x${digest.slice(0, 40)}`;
export const UNKNOWN_SLUG = 'a-market-that-was-never-listed';

/** Returns so many tokens of no market. */
export function unknownTokens(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => (BigInt(UNKNOWN_TOKEN) - BigInt(n)).toString());
}
