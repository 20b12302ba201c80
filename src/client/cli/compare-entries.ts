import type { EvidenceEntries } from '#api/wallets/wallet-evidence';
import { asObject, type JsonObject } from '#domain/json';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { draw } from '#domain/scoreboard/draw';
import type { Random } from '#system/random';
import type { Check } from '../evidence/check.js';
import type { PublicFill, PublicFills } from '../http/public-fills.js';
import { moment } from './draw/figures.js';

/** One entry of a rating's evidence. */
interface Entry {
  readonly token: string;
  readonly condition: string;
  readonly atS: number;
  readonly transaction: string;
  readonly price: number;
  readonly shares: number;
}

/** Public trades are rounded. */
const PRICE_TOLERANCE = 0.0006;
const SHARES_TOLERANCE = 0.001;
/** Smaller fills are not seen by a rating, so that they are no first entry. */
const SHARES_MIN = RATING_CONFIG.fillSharesMicrosMin / 1e6;

const NO_ENTRIES = 'the evidence lists no entries';

/** Returns the fills of a wallet in one market, as the venue lists them. */
export type MarketFills = (of: { readonly wallet: string; readonly condition: string }) => Promise<PublicFills>;

/**
 * Looks some entries of a rating's evidence up in the venue's public trades, drawn at random so that
 * nobody knows which: the first BUY of the token is at this time, of this transaction, at this price
 * and size. Rejects where the venue does not answer.
 */
export async function compareEntries(
  answer: JsonObject,
  count: number,
  { fillsOf, random }: { readonly fillsOf: MarketFills; readonly random: Random },
): Promise<readonly Check[]> {
  const basis = asObject(asObject(asObject(answer.evidence)?.payload)?.basis);
  const entries = asObject(basis?.entries) as EvidenceEntries | null;
  const wallet = String(basis?.wallet);
  const seenFrom = asObject(basis?.seen)?.from;
  const seenFromS = typeof seenFrom === 'string' ? Date.parse(seenFrom) / 1e3 : Number.NEGATIVE_INFINITY;
  if (entries === null) return [{ name: 'venue_trade', holds: null, says: NO_ENTRIES }];
  const checks: Check[] = [];
  const drawn = draw([...entries.token.keys()], count, String(random.next()));
  for (const at of drawn.toSorted((a, b) => a - b)) {
    const entry = entryAt(entries, at);
    checks.push(compared(entry, seenFromS, await fillsOf({ wallet, condition: entry.condition })));
  }
  return checks;
}

/** Returns what to say of a comparison in which nothing failed: how many entries it found. */
export function comparedSummary(checks: readonly Check[]): string {
  if (checks.some(({ says }) => says === NO_ENTRIES)) return 'No entries were looked up: the evidence lists none.';
  const found = checks.filter(({ holds }) => holds === true).length;
  if (found === checks.length) return `The venue lists all entries that were looked up: ${found}.`;
  return (
    `The venue lists ${found} of ${checks.length} entries that were looked up. ` +
    'The others could not be checked; their lines say why.'
  );
}

function entryAt(entries: EvidenceEntries, at: number): Entry {
  return {
    token: entries.token[at]!,
    condition: entries.condition[at]!,
    atS: entries.time_s[at]!,
    transaction: entries.transaction[at]!.toLowerCase(),
    price: entries.price_micros[at]! / 1e6,
    shares: entries.size_micros[at]! / 1e6,
  };
}

/** `seenFromS`: what was bought before it was not seen, as the answer says itself. */
function compared(entry: Entry, seenFromS: number, { fills, isComplete }: PublicFills): Check {
  const name = 'venue_trade';
  const buys = fills.filter(
    ({ tokenId, side, shares }) => tokenId === entry.token && side === 'BUY' && shares >= SHARES_MIN,
  );
  const own = buys.filter((fill) => isOf(entry, fill));
  const what = `${entry.shares} shares at ${entry.price}, ${moment(entry.atS * 1e3)}`;
  if (own.length === 0) {
    // Older rows than were listed may hold it.
    const holds = isComplete ? false : null;
    return {
      name,
      holds,
      says: isComplete ? `the venue lists no such trade: ${what}` : `more trades than were read: ${what}`,
    };
  }
  const earlier = buys.filter(({ atS }) => atS < entry.atS);
  const seen = earlier.find(({ atS }) => atS >= seenFromS);
  if (seen !== undefined) {
    return { name, holds: false, says: `the token was bought before, ${moment(seen.atS * 1e3)}: ${what}` };
  }
  if (earlier.length > 0) {
    return { name, holds: null, says: `bought before the trades that were seen begin, as the answer says: ${what}` };
  }
  const shares = own.reduce((sum, fill) => sum + fill.shares, 0);
  const price = own.reduce((sum, fill) => sum + fill.shares * fill.price, 0) / shares;
  const isSame =
    Math.abs(price - entry.price) <= PRICE_TOLERANCE && Math.abs(shares - entry.shares) <= SHARES_TOLERANCE * shares;
  if (!isSame) return { name, holds: false, says: `the venue lists ${shares} shares at ${price}, not ${what}` };
  return {
    name,
    holds: isComplete ? true : null,
    says: isComplete ? `listed by the venue: ${what}` : `listed: ${what}`,
  };
}

/** Fills of one order share their transaction; where the source has none, the second. */
function isOf({ transaction, atS }: Entry, fill: PublicFill): boolean {
  return transaction === '' ? fill.atS === atS : fill.transaction === transaction;
}
