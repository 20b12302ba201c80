import { expect } from 'chai';
import fc from 'fast-check';
import { parseMarketReference } from '#domain/order/venue-url';
import { needCaptures, readCapture, readCaptureLines } from '#test/support/captures';
import { PROPERTY_RUNS } from '#test/support/size';

const MARKET_PAGE = 'https://polymarket.com/event/fed-decision/no-change';

const REFERENCES: readonly [string, object][] = [
  ['fed-decision', { kind: 'slug', slug: 'fed-decision' }],
  ['  fed-decision ', { kind: 'slug', slug: 'fed-decision' }],
  ['atp-silv-dias-2026-03-11-Silva-vs-Dias', { kind: 'slug', slug: 'atp-silv-dias-2026-03-11-Silva-vs-Dias' }],
  ['https://polymarket.com/event/fed-decision', { kind: 'event', event: 'fed-decision', market: null }],
  ['https://polymarket.com/event/fed-decision/', { kind: 'event', event: 'fed-decision', market: null }],
  ['polymarket.com/event/fed-decision', { kind: 'event', event: 'fed-decision', market: null }],
  ['www.polymarket.com/market/no-change', { kind: 'market', slug: 'no-change' }],
  ['http://www.polymarket.com/event/fed-decision', { kind: 'event', event: 'fed-decision', market: null }],
  ['HTTPS://Polymarket.COM/event/fed-decision', { kind: 'event', event: 'fed-decision', market: null }],
  [MARKET_PAGE, { kind: 'event', event: 'fed-decision', market: 'no-change' }],
  [`${MARKET_PAGE}?tid=1&r=a%2Fb@c#x/y`, { kind: 'event', event: 'fed-decision', market: 'no-change' }],
  ['https://polymarket.com/es/event/fed-decision', { kind: 'event', event: 'fed-decision', market: null }],
  ['https://polymarket.com/pt-BR/event/fed-decision', { kind: 'event', event: 'fed-decision', market: null }],
  ['https://polymarket.com/market/no-change', { kind: 'market', slug: 'no-change' }],
  ['https://polymarket.com/de/market/no-change', { kind: 'market', slug: 'no-change' }],
  [
    'https://polymarket.com/sports/nba/nba-lal-bos-2026-02-22',
    { kind: 'event', event: 'nba-lal-bos-2026-02-22', market: null },
  ],
  ['https://polymarket.com/es/sports/epl/epl-bri-wol', { kind: 'event', event: 'epl-bri-wol', market: null }],
  [
    'https://polymarket.com/sports/nhl/games/week/18/nhl-cbj-chi',
    { kind: 'event', event: 'nhl-cbj-chi', market: null },
  ],
  ['https://polymarket.com/sports/nhl/games/nhl-cbj-chi', { kind: 'event', event: 'nhl-cbj-chi', market: null }],
  [
    'https://polymarket.com/sports/nhl/nhl-cbj-chi/nhl-cbj-chi-ou',
    { kind: 'event', event: 'nhl-cbj-chi', market: 'nhl-cbj-chi-ou' },
  ],
  [
    'https://polymarket.com/esports/dota-2/blast-slam/dota2-aaa-bbb-2026-05-26',
    { kind: 'event', event: 'dota2-aaa-bbb-2026-05-26', market: null },
  ],
  [
    'https://polymarket.com/de/esports/honor-of-kings/hok-aaa-bbb/',
    { kind: 'event', event: 'hok-aaa-bbb', market: null },
  ],
  [
    'https://polymarket.com/esports/cs2/blast/cs2-aaa-bbb/cs2-aaa-bbb-map-1',
    { kind: 'event', event: 'cs2-aaa-bbb', market: 'cs2-aaa-bbb-map-1' },
  ],
];

const REFUSED: readonly string[] = [
  '',
  ' ',
  '-leading',
  'two words',
  'a/b',
  '../../etc/passwd',
  'sluğ',
  'a'.repeat(257),
  'https://polymarket.com',
  'https://polymarket.com/',
  'https://polymarket.com/event',
  'https://polymarket.com/event/',
  'https://polymarket.com/event/a/b/c',
  'https://polymarket.com/event//a',
  'https://polymarket.com/event/../market/a',
  'https://polymarket.com/event/a%2Fb',
  'https://polymarket.com/event/%2e%2e',
  'https://polymarket.com/market',
  'https://polymarket.com/market/a/b',
  'https://polymarket.com/sports',
  'https://polymarket.com/sports/nba',
  'https://polymarket.com/sports/nba/games',
  'https://polymarket.com/sports/nba/games/week/18',
  'https://polymarket.com/sports/%2e%2e/a',
  'https://polymarket.com/esports',
  'https://polymarket.com/esports/cs2',
  'https://polymarket.com/esports/cs2/games',
  'https://polymarket.com/esports/cs2/%2e%2e/a',
  'https://polymarket.com/esports/cs2/a/b/c/d',
  'https://evil.com/event/a',
  'https://polymarket.com.evil.com/event/a',
  'https://evilpolymarket.com/event/a',
  'https://gamma-api.polymarket.com/event/a',
  'https://polymarket.com@evil.com/event/a',
  'https://evil.com@polymarket.com/event/a',
  'https://user:pass@polymarket.com/event/a',
  'https://polymarket.com:443/event/a',
  'https://polymarket.com:8080/event/a',
  'https://polymarket.com./event/a',
  'https://polymarket.com\\@evil.com/event/a',
  'https:\\\\polymarket.com\\event\\a',
  'https:/polymarket.com/event/a',
  'https:polymarket.com/event/a',
  'https:///polymarket.com/event/a',
  '//polymarket.com/event/a',
  'https://polymarket%2ecom/event/a',
  'https://polymarket。com/event/a',
  'https://pоlymarket.com/event/a',
  'https://xn--plymarket-n2a.com/event/a',
  'https://poly\tmarket.com/event/a',
  'https://polymarket.com\n.evil.com/event/a',
  'https://[::1]/event/a',
  'https://[::ffff:169.254.169.254]/event/a',
  'https://127.0.0.1/event/a',
  'https://2130706433/event/a',
  'https://localhost/event/a',
  'file:///event/a',
  'ftp://polymarket.com/event/a',
  'javascript:alert(1)',
  'data:text/plain,a',
];

const NAMED: readonly (readonly [text: string, as: RegExp])[] = [
  ['7'.repeat(77), /token id of an outcome.*send it as token_id/],
  ['1'.repeat(20), /token id/],
  [`0x${'ab'.repeat(32)}`, /condition id of a market.*slug/],
  [`0x01${'ab'.repeat(30)}`, /condition id/],
  [`0x${'Ab'.repeat(20)}`, /a wallet, not a market: preflight_copy/],
  ['https://polymarket.com/profile/0xabc', /a wallet, not a market/],
  ['polymarket.com/@some-user', /a wallet, not a market/],
  ['https://polymarket.com/de/profile/a', /a wallet, not a market/],
];

describe('market references', () => {
  for (const [text, as] of NAMED) {
    it(`names what is of another kind: ${text.slice(0, 40)}`, () => {
      expect(parseMarketReference(text)).to.have.property('why').that.matches(as);
    });
  }

  it('leaves slugs of numbers alone', () => {
    for (const slug of ['2026', '20261124', '1'.repeat(19)]) {
      expect(parseMarketReference(slug)).to.deep.equal({ kind: 'slug', slug });
    }
  });

  for (const [text, reference] of REFERENCES) {
    it(`reads ${text}`, () => expect(parseMarketReference(text)).to.deep.equal(reference));
  }

  for (const text of REFUSED) {
    it(`refuses ${JSON.stringify(text.slice(0, 60))} and says what is accepted`, () => {
      const reference = parseMarketReference(text);
      expect(reference.kind).to.equal('invalid');
      expect(reference).to.have.property('why').that.contains('https://polymarket.com/event/<event>');
    });
  }

  it('takes every slug of the recordings as it is written, alone and in an address', function () {
    needCaptures(this);
    const rows = readCapture('resolutions/markets_2026-05_with_resolution.csv.gz').split('\n').slice(1);
    const slugs = new Set(rows.map((row) => row.split(',')[1] ?? '').filter((slug) => /^[a-z0-9-]+$/.test(slug)));
    for (const part of ['part1', 'part2']) {
      type Page = { markets: { slug: string; events?: { slug: string }[] }[] };
      for (const { markets } of readCaptureLines(`gamma/active-markets-2026-03-11.${part}.pages.jsonl.gz`) as Page[]) {
        for (const { slug, events } of markets) for (const one of [slug, events?.[0]?.slug]) if (one) slugs.add(one);
      }
    }
    expect(slugs.size).to.be.above(16_000);
    for (const slug of slugs) {
      expect(parseMarketReference(slug)).to.deep.equal({ kind: 'slug', slug });
      expect(parseMarketReference(`https://polymarket.com/market/${slug}`)).to.deep.equal({ kind: 'market', slug });
    }
  });

  it('never throws and never lets anything but slugs out, whatever is written', () => {
    const pieces = fc.constantFrom(
      'https://',
      'polymarket.com',
      '/event/',
      '/',
      'a',
      '@',
      '\\',
      '%2f',
      '?',
      '#',
      ':',
      '..',
      '。',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.array(pieces).map((p) => p.join('')),
    );
    const slug = /^[a-z0-9][a-z0-9._-]*$/i;
    fc.assert(
      fc.property(texts, (text) => {
        const reference = parseMarketReference(text);
        if (reference.kind === 'invalid') return;
        const slugs = reference.kind === 'event' ? [reference.event, reference.market ?? 'none'] : [reference.slug];
        for (const one of slugs) expect(one).to.match(slug);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('takes long hostile texts in no time', () => {
    for (const text of ['a-'.repeat(40_000), `https://polymarket.com/${'a/'.repeat(40_000)}`, '?'.repeat(80_000)]) {
      expect(parseMarketReference(text).kind).to.equal('invalid');
    }
  });
});
