import { expect } from 'chai';
import type { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { Rating } from '#domain/rating/rating';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { asOfOf } from '#domain/rating/rating-windows';
import type { RestApi } from '#local/venue/faults/faults';
import { MANGLINGS, type Mangling } from '#local/venue/faults/mangle';
import { seededRandom } from '#local/venue/market/seeded-random';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { profileWallet } from '#services/wallets/profile';
import type { Random } from '#system/random';
import { StillClock, stillVenue } from '#test/local/support/venue-harness';
import { PaperTape } from '#test/support/paper-venue';
import { VENUE_FAULTS } from '#test/support/size';
import { hastySources } from '../support/venue-wallets.js';

const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 1e9));
const ROLES = ['skilled', 'loser', 'certain-farmer', 'slow', 'blind', 'streaky', 'small-sample', 'patient'];

/** Where the venue is asked, and which fields its rows have there. */
const FIELDS: readonly { readonly api: RestApi; readonly path: string; readonly fields: readonly string[] }[] = [
  {
    api: 'data',
    path: '/v2/trades',
    fields: ['proxy_wallet', 'side', 'token_id', 'condition_id', 'size', 'price', 'timestamp', 'outcome_index'],
  },
  { api: 'data', path: '/trades', fields: ['proxyWallet', 'size', 'timestamp'] },
  { api: 'data', path: '/v2/resolutions', fields: ['condition_id', 'status', 'payouts', 'resolved_at'] },
  {
    api: 'gamma',
    path: '/markets',
    fields: [
      'conditionId',
      'slug',
      'closed',
      'closedTime',
      'endDate',
      'outcomes',
      'outcomePrices',
      'clobTokenIds',
    ].concat(['events', 'feesEnabled', 'feeType', 'feeSchedule', 'gameStartTime', 'umaResolutionStatus']),
  },
  { api: 'clob', path: '/markets', fields: ['condition_id', 'closed', 'tokens'] },
  { api: 'clob', path: '/clob-markets', fields: ['c', 'fd'] },
];
/** What a later confirmation takes back, or what the venue may truly say, is no fault here. */
const LIES: ReadonlySet<string> = new Set(['swap_pair', 'swap_winner', 'unclear_pair']);
const MANGLINGS_USED = (Object.keys(MANGLINGS) as (keyof typeof MANGLINGS)[]).filter((how) => !LIES.has(how));
const SHARES = [0.5, 0.2, 0.05];
/** In the full proof, where one hears nothing for an hour otherwise. */
const TELL_EVERY = 500;

function pick<T>(dice: Random, from: readonly T[]): T {
  return from[Math.floor(dice.next() * from.length)]!;
}

interface Fault {
  readonly api: RestApi;
  readonly mangling: Mangling;
}

function randomFault(dice: Random): Fault {
  const { api, path, fields } = pick(dice, FIELDS);
  const mangling = { how: pick(dice, MANGLINGS_USED), path, field: pick(dice, fields), share: pick(dice, SHARES) };
  return { api, mangling: { ...mangling, seed: Math.floor(dice.next() * 1e9) } };
}

describe(`a venue with random faults (seed ${SEED})`, function () {
  // On a machine that is busy with other things as well the proof takes hours.
  this.timeout(14_400_000);
  const clock = new StillClock();
  const asOfS = asOfOf(Math.floor(clock.nowMs() / 1e3));
  const truths = new Map<WalletAddress, Rating>();
  let venue: LocalVenue;
  const rate = (wallet: WalletAddress, tape: PaperTape) => {
    const { source: trades, facts } = hastySources(venue);
    const order = { wallet, asOfS, attempts: 0 };
    return profileWallet(order, { trades, facts, tape, clock, config: RATING_CONFIG }, new AbortController().signal);
  };

  before(async () => {
    venue = await stillVenue({ clock });
    for (const role of ROLES) {
      const { address } = venue.exampleWallets.find((wallet) => wallet.role === role)!;
      truths.set(address, (await rate(address, new PaperTape()))!.stored.rating);
    }
  });
  after(() => venue.close());

  it(`ends ${VENUE_FAULTS} wallets in their true ratings or leaves them queued, and remembers nothing wrong`, async () => {
    const dice = seededRandom(SEED);
    const wrong: string[] = [];
    let rated = 0;
    for (let n = 0; n < VENUE_FAULTS && wrong.length < 5; n++) {
      if (n > 0 && n % TELL_EVERY === 0) {
        process.stderr.write(`  faults: ${n} of ${VENUE_FAULTS}, ${rated} rated, ${wrong.length} wrong\n`);
      }
      const wallet = pick(dice, [...truths.keys()]);
      const faults = Array.from({ length: 1 + Math.floor(dice.next() * 3) }, () => randomFault(dice));
      for (const api of ['data', 'gamma', 'clob'] as const) {
        venue.faults.mangle(
          api,
          faults.filter((fault) => fault.api === api).map(({ mangling }) => mangling),
        );
      }
      const tape = new PaperTape();
      const spoilt = await rate(wallet, tape).catch((error: OutsideError) => error);
      venue.faults.clear();
      const healed = await rate(wallet, tape);
      const truth = JSON.stringify(truths.get(wallet));
      const say = (when: string, received: Rating | undefined) =>
        wrong.push(`${n} ${when}: ${JSON.stringify(faults)}\n${JSON.stringify(received)}\n${truth}`);
      if (spoilt !== null && 'stored' in spoilt) {
        rated++;
        if (JSON.stringify(spoilt.stored.rating) !== truth) say('under faults', spoilt.stored.rating);
      }
      if (JSON.stringify(healed?.stored.rating) !== truth) say('afterwards', healed?.stored.rating);
    }
    expect(wrong.join('\n\n')).to.equal('');
    // Neither does every fault matter, nor does none.
    expect(rated).to.be.within(VENUE_FAULTS / 20, VENUE_FAULTS - VENUE_FAULTS / 20);
  });
});
