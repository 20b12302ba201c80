import { ACCOUNT_REFUSALS } from './account.js';
import { AMOUNT_REFUSALS } from './amounts.js';
import { MATCHING_REFUSALS } from './matching.js';
import type { VenueRefusal } from './refusal.js';
import { VENUE_STATE_REFUSALS } from './venue-state.js';

/** What is refused for one kind of reason. */
export interface RefusalGroup {
  readonly title: string;
  readonly refusals: readonly VenueRefusal[];
}

/** Every refusal whose text is known, by what has to change. */
export const REFUSAL_GROUPS: readonly RefusalGroup[] = [
  { title: 'Amounts, price and size', refusals: AMOUNT_REFUSALS },
  { title: 'Book and matching', refusals: MATCHING_REFUSALS },
  { title: 'Account and signature', refusals: ACCOUNT_REFUSALS },
  { title: 'Venue and client', refusals: VENUE_STATE_REFUSALS },
];

export const REFUSALS: readonly VenueRefusal[] = REFUSAL_GROUPS.flatMap(({ refusals }) => refusals);

/** A refusal that was found in a text. */
export interface FoundRefusal {
  readonly refusal: VenueRefusal;
  /** What the text has in the places of the names. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether the text is that of the refusal and nothing else. */
  readonly isWhole: boolean;
}

/** What is longer is not searched. */
export const REFUSAL_TEXT_CHARS_MAX = 4_000;
const PLACE = /\{(\w+)\}/;
const VALUE = "[^\\s'(),]{1,120}";

interface Pattern {
  readonly refusal: VenueRefusal;
  readonly pattern: RegExp;
  /** How much of it is always there: the text that says most is the one that is meant. */
  readonly fixedChars: number;
}

const PATTERNS: readonly Pattern[] = REFUSALS.flatMap((refusal) =>
  refusal.texts.map((text) => {
    const parts = text.split(PLACE);
    // Texts and names of places take turns.
    const pieces = parts.map((part, at) => (at % 2 === 1 ? `(?<${part}>${VALUE})` : literal(part)));
    const fixedChars = parts.reduce((sum, part, at) => sum + (at % 2 === 1 ? 0 : part.length), 0);
    return { refusal, pattern: new RegExp(`(?<!\\w)${pieces.join('')}(?!\\w)`, 'i'), fixedChars };
  }),
).sort((a, b) => b.fixedChars - a.fixedChars);

/**
 * Returns the refusal that a text is about, or that it contains: the answer of the venue, an
 * exception of a client, a line of a log. Null: it has none that is known.
 */
export function findRefusal(text: string): FoundRefusal | null {
  const searched = plainly(text.slice(0, REFUSAL_TEXT_CHARS_MAX));
  for (const { refusal, pattern } of PATTERNS) {
    const found = pattern.exec(searched);
    if (found !== null)
      return { refusal, values: { ...found.groups }, isWhole: found[0].length === searched.trim().length };
  }
  return null;
}

/** Programs print the same text in different ways: with quotes of any kind, over several lines. */
function plainly(text: string): string {
  return text
    .replaceAll(/\\?["’]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/': '/g, "':'");
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
