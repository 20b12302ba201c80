import { expect } from 'chai';
import { isCryptoUpDown, type UpDownFacts } from '#domain/rating/updown';
import { needCaptures } from '#test/support/captures';
import { readCsv } from '../support/tape-fixtures.js';

const is = (facts: Partial<UpDownFacts>) =>
  isCryptoUpDown({ slug: '', seriesSlug: '', outcomes: [], isCrypto: false, ...facts });

const PAIR = ['Up', 'Down'];

describe('isCryptoUpDown, on all open markets of a day', () => {
  let rows: ReturnType<typeof readCsv>;

  before(function () {
    needCaptures(this);
    rows = readCsv('tape/gamma_market_labels_2026-03-11.csv.gz');
  });

  it('tells the 1,962 by their slugs alone', () => {
    const received = rows.filter(({ slug = '' }) => is({ slug }));
    expect(rows.length).to.equal(35_955);
    expect(received.length).to.equal(1_962);
    expect(received.every(({ crypto_updown_label }) => crypto_updown_label === '1')).to.equal(true);
  });

  it('adds none by the series, the outcomes or the fee type', () => {
    const wrong = rows.filter((row) => {
      // The file has no outcomes: take everything that looks like it for a pair.
      const outcomes = /up-or-down|updown/.test(row.slug!) ? PAIR : ['Yes', 'No'];
      const isCrypto = row.fee_type!.startsWith('crypto');
      const facts = { slug: row.slug!, seriesSlug: row.series_slug!, outcomes, isCrypto };
      return isCryptoUpDown(facts) !== (row.crypto_updown_label === '1');
    });
    expect(wrong.map(({ slug }) => slug)).to.deep.equal([]);
  });
});

describe('isCryptoUpDown', () => {
  const cases: readonly [string, Partial<UpDownFacts>, boolean][] = [
    ['five minutes', { slug: 'btc-updown-5m-1773200000' }, true],
    ['four hours of a newer coin', { slug: 'zec-updown-4h-1773200000' }, true],
    ['an hour', { slug: 'bitcoin-up-or-down-march-11-7pm-et' }, true],
    ['an hour with its year', { slug: 'xrp-up-or-down-july-4-2026-12am-et' }, true],
    ['a day', { slug: 'ethereum-up-or-down-on-march-11' }, true],
    ['a day with its year', { slug: 'dogecoin-up-or-down-on-march-11-2026' }, true],
    ['an unknown slug of a known series', { slug: 'x', seriesSlug: 'btc-up-or-down-daily' }, true],
    ['a new coin by its outcomes and tag', { slug: 'ada-updown-15m-1773200000', outcomes: PAIR, isCrypto: true }, true],
    ['a new coin without the tag', { slug: 'ada-updown-15m-1773200000', outcomes: PAIR }, false],
    [
      'a crypto market of Yes and No',
      { slug: 'bitcoin-above-80k-on-march-11', outcomes: ['Yes', 'No'], isCrypto: true },
      false,
    ],
    ['the share of Coinbase', { slug: 'coin-up-or-down-on-march-11-2026', outcomes: PAIR, isCrypto: true }, false],
    [
      'an index',
      { slug: 'spx-up-or-down-on-march-11-2026', seriesSlug: 'spx-daily-up-or-down', outcomes: PAIR },
      false,
    ],
    ['an approval rate', { slug: 'trump-approval-up-or-down-this-week-619', outcomes: PAIR }, false],
    ['a slug that only begins alike', { slug: 'btc-updown-5m-1773200000-again' }, false],
    ['a month that is none', { slug: 'bitcoin-up-or-down-on-smarch-11' }, false],
    ['nothing at all', {}, false],
  ];
  for (const [title, facts, expected] of cases) {
    it(`${expected ? 'takes' : 'does not take'} ${title}`, () => expect(is(facts)).to.equal(expected));
  }
});
