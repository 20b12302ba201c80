import { clientSystem } from '#client/system';
import type { AskPlainly } from '../../model/ask/ask-terms.js';
import { openStream } from '../../model/book/open-stream.js';
import type { TryWorld } from '../../model/try/try-state.js';

const ANSWER_TIMEOUT_MS = 15_000;

/** The try-out in a browser. */
export const browserWorld: TryWorld = {
  system: clientSystem,
  openStream,
  fetchMarkets: () => askPlainly('/demo/markets'),
  beforePaint: (due) => {
    requestAnimationFrame(due);
  },
  isHidden: () => document.hidden,
  onHiddenChange: (changed) => {
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  },
};

/** Asks the own service, without payment, token or cookie. */
export const askPlainly: AskPlainly = async (path) => {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const response = await fetch(path, { headers: { accept: 'application/json' }, credentials: 'omit', signal });
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    retryAfterS: Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
    text: await response.text(),
  };
};
