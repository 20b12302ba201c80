/**
 * Asks for so many wallets and goes on computing them, one row of the venue's after the other;
 * prints "queued" when all are durable, and "rated <wallet>" for each that is. Ends when nothing is
 * left. Arguments: path of the ratings, first and last wallet, and "ask", or "resume" to go on with
 * what an earlier life left.
 */
import { writeSync } from 'node:fs';
import { openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { Wallets } from '#services/wallets/wallets';
import { walletNumber } from '#test/contract/store.contract';
import { PaperTape, PaperVenue } from '#test/support/paper-venue';

const [path = '', wallets = '0', task = 'ask'] = process.argv.slice(2);
/** How long the venue takes for a page, so that computing takes as long as the test needs. */
const PAGE_MS = 15;
const ENTRIES = 60;

const store = openLmdbRatings({ path });
const venue = new PaperVenue();
const all = Array.from({ length: Number(wallets) }, (_, n) => walletNumber(n + 1));
const todayS = Math.floor(systemClock.nowMs() / 86_400_000) * 86_400;
for (const wallet of all) venue.list(wallet, ENTRIES, todayS);
venue.pageRows = 20;

const nothing = () => undefined;
const service = new Wallets({
  store,
  trades: {
    fetchWalletTrades: async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, PAGE_MS));
      return venue.fetchWalletTrades(...args);
    },
    fetchMarketTrades: () => venue.fetchMarketTrades(),
    fetchTrades: () => venue.fetchTrades(),
    hasTraded: (wallet) => venue.hasTraded(wallet),
  },
  facts: venue,
  tape: new PaperTape(),
  clock: systemClock,
  random: systemRandom,
  log: {
    debug: nothing,
    // Written at once, so that what was said is in the pipe before the process can be killed.
    info: (facts) => 'wallet' in facts && writeSync(1, `rated ${facts.wallet}\n`),
    warn: nothing,
    error: nothing,
  },
  timers: systemTimers,
  config: RATING_CONFIG,
  limitCaller: async () => null,
});

if (task === 'resume') await service.resume();
else await Promise.all(all.map((wallet) => service.ask(wallet, 'child')));
writeSync(1, 'queued\n');
while ((await store.walletRows(null, 1)).items.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
service.stop();
await store.close();
