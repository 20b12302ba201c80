import { expect } from 'chai';
import fc from 'fast-check';
import type { Market } from '#domain/market';
import { CANDIDATES_MAX, pickOutcome } from '#domain/order/pick-outcome';
import { needCaptures, readCaptureJson, readCaptureLines } from '#test/support/captures';
import { OPEN_STATUS, sampleMarket } from '#test/support/sample-markets';
import { PROPERTY_RUNS } from '#test/support/size';
import { parseGammaEvent, parseGammaMarket } from '#wire/polymarket/gamma';

const CLOSED = { ...OPEN_STATUS, closed: true };

/** "slug: label" of what was picked, or the candidates. */
function pick(markets: readonly Market[], outcome?: string): string | readonly string[] {
  const picked = pickOutcome(markets, outcome);
  return picked.kind === 'picked' ? `${picked.market.slug}: ${picked.outcome.label}` : picked.candidates;
}

const titled = (number: number, title: string, facts: Partial<Market> = {}) =>
  sampleMarket(number, { groupItemTitle: title, question: `Will ${title} happen?`, ...facts });

describe('the outcome of one market', () => {
  const binary = sampleMarket(1, { question: 'Will the Fed cut rates?', groupItemTitle: '25 bps decrease' });
  const match = sampleMarket(2, { question: 'Lakers vs. Celtics', labels: ['Lakers', 'Celtics'] });
  const total = sampleMarket(3, { question: 'Goals?', labels: ['Over', 'Under'] });

  const table: readonly [string, Market, string | undefined, string | readonly string[]][] = [
    ['is the first where none is named', binary, undefined, 'market-1: Yes'],
    ['is the first where the name is blank', binary, '  ', 'market-1: Yes'],
    ['is not guessed where none of two names is given', match, undefined, ['Lakers', 'Celtics']],
    ['is not guessed where none of Over and Under is given', total, undefined, ['Over', 'Under']],
    ['is found by its label', binary, 'No', 'market-1: No'],
    ['is found in any case', match, 'cELTICS', 'market-2: Celtics'],
    ['is found by a part of its label', match, 'celt', 'market-2: Celtics'],
    ['is the first where the market itself is named', binary, '25 BPS decrease', 'market-1: Yes'],
    ['is the first where a part of the question is named', binary, 'Fed', 'market-1: Yes'],
    ['is the first where the slug is named', binary, 'market-1', 'market-1: Yes'],
    ['is not guessed where a part fits both labels', total, 'er', ['Over', 'Under']],
    ['is not guessed where nothing fits', match, 'Knicks', ['Lakers', 'Celtics']],
  ];
  for (const [title, market, outcome, expected] of table) {
    it(title, () => expect(pick([market], outcome)).to.deep.equal(expected));
  }

  it('cannot be one of a placeholder', () => {
    expect(pick([sampleMarket(1, { placeholder: true })], 'Yes')).to.deep.equal([]);
    expect(pick([], 'Yes')).to.deep.equal([]);
  });
});

describe('the outcome among several markets', () => {
  const fed = [
    titled(1, '25 bps decrease'),
    titled(2, 'No change'),
    titled(3, '25 bps increase'),
    titled(4, '50+ bps increase'),
  ];
  const titles = fed.map((market) => market.groupItemTitle);

  const table: readonly [string, string | undefined, string | readonly (string | null)[]][] = [
    ['must be named', undefined, titles],
    ['is found by the title of its market', 'No change', 'market-2: Yes'],
    ['is found in any case and with blanks around', ' no CHANGE ', 'market-2: Yes'],
    ['is found by a part of the title that no other has', 'decr', 'market-1: Yes'],
    ['is found by the question of its market', 'Will 50+ bps increase happen?', 'market-4: Yes'],
    ['is found by the slug of its market', 'market-3', 'market-3: Yes'],
    [
      'is not guessed where a part fits several: those are the candidates',
      'increase',
      ['25 bps increase', '50+ bps increase'],
    ],
    ['is not guessed where a label fits all', 'Yes', titles],
    ['is not guessed where nothing fits', '75 bps', titles],
    ['is not found by a part of a slug', 'market-', titles],
  ];
  for (const [title, outcome, expected] of table) {
    it(title, () => expect(pick(fed, outcome)).to.deep.equal(expected));
  }

  it('is the labelled one where its market has a label of that name', () => {
    const match = sampleMarket(5, { question: 'Lakers vs. Celtics', labels: ['Lakers', 'Celtics'] });
    expect(pick([...fed, match], 'Celtics')).to.equal('market-5: Celtics');
    expect(pick([...fed, match])).to.deep.equal([...titles, 'Lakers', 'Celtics']);
  });

  it('prefers the exact name to a name that only holds it', () => {
    expect(pick([titled(1, 'Germany and France'), titled(2, 'Germany')], 'germany')).to.equal('market-2: Yes');
  });

  it('is never one of a placeholder, nor is that a candidate', () => {
    const augmented = [titled(1, 'Alice'), titled(2, 'Person A', { placeholder: true }), titled(3, 'Bob')];
    expect(pick(augmented, 'Person A')).to.deep.equal(['Alice', 'Bob']);
    expect(pick(augmented.slice(0, 2))).to.equal('market-1: Yes');
  });

  it('is one of a closed market only where no open one fits, so that the verdict can say it is closed', () => {
    const markets = [titled(1, 'Alice Smith', { status: CLOSED }), titled(2, 'Bob'), titled(3, 'Alice Jones')];
    expect(pick(markets, 'Alice')).to.equal('market-3: Yes');
    expect(pick(markets, 'Alice Smith')).to.equal('market-1: Yes');
    expect(pick(markets, 'Smith')).to.equal('market-1: Yes');
    expect(pick(markets, 'Carol')).to.deep.equal(['Bob', 'Alice Jones']);
  });

  it('is the closed market that is named exactly, not an open one whose name holds that name', () => {
    const markets = [titled(1, 'Germany', { status: CLOSED }), titled(2, 'Germany and France'), titled(3, 'Spain')];
    expect(pick(markets, 'Germany')).to.equal('market-1: Yes');
  });

  it('names closed markets as candidates where all are closed', () => {
    const markets = [titled(1, 'Alice', { status: CLOSED }), titled(2, 'Bob', { status: CLOSED })];
    expect(pick(markets)).to.deep.equal(['Alice', 'Bob']);
  });

  it('offers the question, or the slug, of a market whose title another one has too', () => {
    const twins = [
      titled(1, '$100m', { question: 'Above $100m?' }),
      titled(2, '$100m', { question: 'By May?' }),
      titled(3, '$2b'),
    ];
    expect(pick(twins, '$100m')).to.deep.equal(['Above $100m?', 'By May?']);
    const same = twins.map((market) => ({ ...market, question: 'Which?' }));
    expect(pick(same)).to.deep.equal(['market-1', 'market-2', '$2b']);
  });

  it('offers no more candidates than an error message can hold', () => {
    const many = Array.from({ length: 130 }, (_, index) => titled(index, `Person ${index}`));
    expect(pick(many)).to.have.length(CANDIDATES_MAX);
  });

  it('never throws, and every candidate it offers is accepted, whatever the markets are called', () => {
    const name = fc.constantFrom('Yes', 'No', 'yes ', 'Alice', 'alice', 'Bob', '', 'Draw', 'É', 'E\u0301', 'İ', 'a b');
    const facts = fc.record({
      groupItemTitle: fc.oneof(
        fc.constant(null),
        name.filter((n) => n !== ''),
      ),
      question: name,
      labels: fc.tuple(name, name),
      placeholder: fc.boolean(),
      status: fc.constantFrom(OPEN_STATUS, CLOSED),
    });
    const markets = fc.array(facts, { maxLength: 6 }).map((all) => all.map((one, index) => sampleMarket(index, one)));
    fc.assert(
      fc.property(markets, fc.option(fc.oneof(name, fc.string())), (some, outcome) => {
        const picked = pickOutcome(some, outcome ?? undefined);
        if (picked.kind === 'picked') {
          expect(picked.market.placeholder).to.equal(false);
          expect(picked.market.outcomes).to.include(picked.outcome);
          return;
        }
        const priceable = some.filter((market) => !market.placeholder);
        if (priceable.length < 2) return;
        for (const candidate of picked.candidates)
          expect(pickOutcome(some, candidate).kind, candidate).to.equal('picked');
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

describe('the outcomes of recorded events', () => {
  it('finds every market of the Fed event by its title', function () {
    needCaptures(this);
    const event = parseGammaEvent(readCaptureJson('gamma/fed-decision-in-june-825/gamma-event.json'));
    for (const market of event?.markets ?? []) {
      expect(pick(event?.markets ?? [], market.groupItemTitle ?? '')).to.equal(`${market.slug}: Yes`);
    }
  });

  it('accepts every candidate of every recorded event with several markets', function () {
    needCaptures(this);
    const events = new Map<string, Market[]>();
    for (const part of ['part1', 'part2']) {
      type Page = { markets: { events?: { slug: string }[] }[] };
      for (const page of readCaptureLines(`gamma/active-markets-2026-03-11.${part}.pages.jsonl.gz`) as Page[]) {
        for (const raw of page.markets) {
          const parsed = parseGammaMarket(raw);
          const slug = raw.events?.[0]?.slug ?? '';
          if (parsed.kind === 'market') events.set(slug, [...(events.get(slug) ?? []), parsed.market]);
        }
      }
    }
    const wide = [...events.values()].filter((markets) => markets.length > 1);
    expect(wide).to.have.length(2_040);
    const refused = wide.flatMap((markets) => {
      const candidates = pick(markets);
      return typeof candidates === 'string' ? [] : candidates.filter((one) => typeof pick(markets, one) !== 'string');
    });
    expect(refused).to.deep.equal([]);
  });
});
