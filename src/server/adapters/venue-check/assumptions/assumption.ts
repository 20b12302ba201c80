import { refusalOf } from '../../polymarket/venue-answers.js';
import type { Answer } from '../asker.js';
import type { Interview } from '../interview/interview.js';
import { differing, holding, type Seen, shown } from '../seen.js';

/**
 * Something that the service takes for granted of the venue and that the venue can be asked
 * (docs/venue.md, "Assumptions").
 */
export interface Assumption {
  /** For good: pages cite it. Written "A7". */
  readonly id: number;
  readonly text: string;
  /** By which question, in a few words. */
  readonly asked: string;
  /** Rejects with NotAsked where no answer came. */
  readonly check: (venue: Interview) => Promise<Seen>;
}

/** Returns how pages and reports write an assumption's number. */
export function nameOf({ id }: Pick<Assumption, 'id'>): string {
  return `A${id}`;
}

/** Holds an answer to be a refusal in the venue's own form: this status, and JSON with an `error`. */
export function refusal(answer: Answer, wanted: number, words: RegExp = /./): Seen {
  const { status, text } = answer;
  const said = refusalOf({ kind: 'refused', status, text }) ?? '';
  return status === wanted && words.test(said) ? holding(summaryOf(answer)) : differing(summaryOf(answer));
}

/** Holds the rows of a list to something. What is no list is none, and differs. */
export function ofList(answer: Answer, check: (rows: readonly unknown[]) => Seen): Seen {
  return Array.isArray(answer.body) ? check(answer.body) : differing(summaryOf(answer));
}

/** What an answer was, for people. */
export function summaryOf({ status, body, text }: Answer): string {
  return `${status} ${shown(body ?? text)}`;
}
