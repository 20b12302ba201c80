import type { FeedState, Trouble } from './feed.js';

/** What a person is told of a stream: how it stands, what happened, what to do. */
export interface FeedWords {
  readonly tone: 'live' | 'calm' | 'warn';
  readonly text: string;
}

const NEXT_TRY = 'It will be retried automatically.';
const LAST_BOOK = 'The book below is the last one that came, and its age goes on counting.';
/** Of a page that is hidden. */
export const PAUSED = `The stream pauses while this page is hidden. ${LAST_BOOK}`;
const AGAIN = `The stream is being opened again. ${LAST_BOOK}`;
const DONE = 'Choose a market again, or reload the page.';

const TROUBLES: Readonly<Record<Exclude<Trouble['kind'], 'status'>, string>> = {
  ended: 'The stream of this book has ended.',
  silent: 'The stream of this book has gone silent.',
  unreachable: 'The service cannot be reached.',
  no_stream: 'Something on the way answered with a page instead of the book.',
  unreadable: 'What the stream says cannot be read.',
};

/** Returns what to say of a stream. An old book is never called live. */
export function feedWords({ phase, trouble, received, isBookMissing }: FeedState): FeedWords {
  if (trouble !== null) {
    const lastBook = received === null ? '' : ` ${LAST_BOOK}`;
    return { tone: 'warn', text: `${troubleText(trouble)} ${phase === 'over' ? DONE : NEXT_TRY}${lastBook}` };
  }
  if (received !== null && phase !== 'live') return { tone: 'calm', text: phase === 'paused' ? PAUSED : AGAIN };
  if (isBookMissing) return { tone: 'warn', text: 'The venue gives no book of this market at the moment.' };
  if (received === null) return { tone: 'calm', text: 'Waiting for the book.' };
  if (received.book.doubt !== null) {
    return {
      tone: 'warn',
      text: 'This book is in doubt. A paid verdict would ask the venue once more before it answers.',
    };
  }
  return { tone: 'live', text: 'Live from the venue.' };
}

function troubleText(trouble: Trouble): string {
  return trouble.kind === 'status' ? statusText(trouble.status, trouble.retryAfterS) : TROUBLES[trouble.kind];
}

/** Returns what a status means to somebody who watches or asks. */
export function statusText(status: number, retryAfterS: number | null): string {
  const after = retryAfterS === null ? 'in a moment' : `after ${retryAfterS} s`;
  if (status === 402) return 'The service asks to be paid for this (402): it is not part of the free try-out.';
  if (status === 404) return 'The service has nothing here (404): the market is not one of the free try-out any more.';
  if (status === 429) return `Too many requests from here (429); the service asks to come back ${after}.`;
  if (status === 503) return `The service cannot answer now (503); it asks to come back ${after}.`;
  if (status >= 500) return `The service has failed (${status}). Nothing was charged.`;
  if (status >= 400) return `The service has refused this (${status}).`;
  return `Something on the way answered in a way that is not the service's (${status}).`;
}
