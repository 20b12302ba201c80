import { type EventSpec, eventOfOne, FEES } from '../market/market-spec.js';

/** Length of a crypto up/down window. */
export const CRYPTO_WINDOW_S = 300;

/**
 * Returns the five-minute Bitcoin window that `nowMs` falls into, under the venue's slug form with
 * the window's start.
 */
export function cryptoWindowEvent(nowMs: number): EventSpec {
  const startS = cryptoWindowStartS(nowMs);
  return eventOfOne(
    {
      slug: `btc-updown-5m-${startS}`,
      question: `Bitcoin Up or Down - ${windowLabel(startS)}`,
      purpose: 'crypto up/down five-minute window, fee 0.07; the next window follows when it ends',
      outcomes: ['Up', 'Down'],
      fee: FEES.crypto,
    },
    { anchorTicks: 5000, depthUsd: 8_000, restlessness: 0.9 },
    ['Crypto', 'Up or Down', '5M'],
    'btc-up-or-down-5m',
  );
}

/** Returns the Unix second at which the window around `nowMs` began. */
export function cryptoWindowStartS(nowMs: number): number {
  return Math.floor(nowMs / 1000 / CRYPTO_WINDOW_S) * CRYPTO_WINDOW_S;
}

/** The venue prints the window in New York time: "June 24, 3:50AM-3:55AM ET". */
function windowLabel(startS: number): string {
  const day = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', month: 'long', day: 'numeric' });
  const time = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric', minute: '2-digit' });
  const at = (seconds: number) => time.format(seconds * 1000).replace(/\s/g, '');
  return `${day.format(startS * 1000)}, ${at(startS)}-${at(startS + CRYPTO_WINDOW_S)} ET`;
}
