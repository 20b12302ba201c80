import { expect } from 'chai';
import fc from 'fast-check';
import type { Market } from '#domain/market';
import { CANDIDATES_MAX, type OutcomePick, pickAmong } from '#domain/order/pick-outcome';
import { foldName } from '#domain/order/same-name';
import { needCaptures, readCaptureJson, readCaptureLines } from '#test/support/captures';
import { OPEN_STATUS, sampleEvent, sampleMarket } from '#test/support/sample-markets';
import { PROPERTY_RUNS } from '#test/support/size';
import { parseGammaEvent, parseGammaMarket } from '#wire/polymarket/gamma';

const CLOSED = { ...OPEN_STATUS, closed: true };

/** "slug: label" of what was picked, or the candidates. */
function pick(markets: readonly Market[], outcome?: string): string | readonly string[] {
  return shown(pickAmong(sampleEvent('an-event', markets), outcome));
}

function shown(pick: OutcomePick): string | readonly string[] {
  switch (pick.kind) {
    case 'picked':
      return `${pick.market.slug}: ${pick.outcome.label}`;
    case 'refused':
      return pick.candidates;
    case 'unreadable':
      return pick.kind;
  }
}

const titled = (number: number, title: string, facts: Partial<Market> = {}) =>
  sampleMarket(number, { groupItemTitle: title, question: `Will ${title} happen?`, ...facts });

describe('the outcome of one market', () => {
  const binary = sampleMarket(1, { question: 'Will the Fed cut rates?', groupItemTitle: '25 bps decrease' });
  const match = sampleMarket(2, { question: 'Lakers vs. Celtics', labels: ['Lakers', 'Celtics'] });
  const novak = sampleMarket(4, { question: 'Who wins?', labels: ['Novak Djokovic', 'Carlos Alcaraz'] });
  const yesterday = sampleMarket(5, { question: "Yesterday's game?", labels: ['Lakers', 'Celtics'] });
  const total = sampleMarket(3, { question: 'Goals?', labels: ['Over', 'Under'] });

  const table: readonly [string, Market, string | undefined, string | readonly string[]][] = [
    ['is the first where none is named', binary, undefined, 'market-1: Yes'],
    ['is not guessed where the name is blank', binary, '  ', ['Yes', 'No']],
    ['is not guessed where nothing of the name can be seen', binary, '\u200b\ufeff', ['Yes', 'No']],
    ['is not guessed where none of two names is given', match, undefined, ['Lakers', 'Celtics']],
    ['is not guessed where none of Over and Under is given', total, undefined, ['Over', 'Under']],
    ['is found by its label', binary, 'No', 'market-1: No'],
    ['is found in any case', match, 'cELTICS', 'market-2: Celtics'],
    ['is found by a part of its label', match, 'celt', 'market-2: Celtics'],
    ['is the first where the market itself is named', binary, '25 BPS decrease', 'market-1: Yes'],
    ['is the first where a part of the question is named', binary, 'Fed', 'market-1: Yes'],
    ['is the first where the slug is named', binary, 'market-1', 'market-1: Yes'],
    ['is not guessed where a part fits both labels', total, 'er', ['Over', 'Under']],
    ['is not the name that No is a part of', novak, 'No', ['Novak Djokovic', 'Carlos Alcaraz']],
    ['is not the question that Yes is a part of', yesterday, 'yes', ['Lakers', 'Celtics']],
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
    // Also where it is the only other one: the event has several outcomes.
    expect(pick(augmented.slice(0, 2))).to.deep.equal(['Alice']);
    expect(pick(augmented.slice(0, 2), 'No')).to.deep.equal(['Alice']);
    expect(pick(augmented.slice(0, 2), 'Alice')).to.equal('market-1: Yes');
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
      fc.property(markets, fc.option(fc.oneof(name, fc.string())), fc.nat({ max: 1 }), (some, outcome, hidden) => {
        const listed = { listedCount: some.length + hidden };
        const picked = pickAmong(sampleEvent('an-event', some, listed), outcome ?? undefined);
        if (picked.kind === 'unreadable') throw new Error('every row was read');
        if (picked.kind === 'picked') {
          expect(picked.market.placeholder).to.equal(false);
          expect(picked.market.outcomes).to.include(picked.outcome);
          return;
        }
        const priceable = some.filter((market) => !market.placeholder);
        if (priceable.length < 2) return;
        for (const candidate of picked.candidates)
          expect(pickAmong(sampleEvent('an-event', some, listed), candidate).kind, candidate).to.equal('picked');
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

describe('the outcome among markets that are not all of Yes and No', () => {
  const game = sampleMarket(1, { question: 'Lions vs Bears', labels: ['Lions', 'Bears'] });
  const total = sampleMarket(2, { groupItemTitle: 'O/U 40.5', question: 'Points?', labels: ['Over', 'Under'] });
  const half = sampleMarket(3, { groupItemTitle: 'O/U 20.5', question: 'Points?', labels: ['Over', 'Under'] });
  const winner = sampleMarket(4, { groupItemTitle: 'To Advance', question: 'Advance?', labels: ['LIO', 'BEA'] });
  const event = [game, total, half, winner];

  const table: readonly [string, string, string | readonly string[]][] = [
    ['is not the first where only its market is named', 'To Advance', ['LIO', 'BEA']],
    ['nor by the question of its market', 'Lions vs Bears', ['Lions', 'Bears']],
    ['nor by its slug', 'market-4', ['LIO', 'BEA']],
    ['nor by a part of its title', '40.5', ['O/U 40.5: Over', 'O/U 40.5: Under']],
    [
      'is offered with its market where its label is not enough',
      'over',
      ['O/U 40.5: Over', 'O/U 40.5: Under', 'O/U 20.5: Over', 'O/U 20.5: Under'],
    ],
    ['is found so', 'o/u 20.5: under', 'market-3: Under'],
    ['is the whole label in one market before a part of a label in another', 'LIO', 'market-4: LIO'],
    ['and in the other order', 'bea', 'market-4: BEA'],
    ['is found by a part where nothing is whole', 'lion', 'market-1: Lions'],
  ];
  for (const [title, outcome, expected] of table) {
    it(title, () => expect(pick(event, outcome)).to.deep.equal(expected));
  }

  it('is not one of whose name a part fits only where a word is cut', () => {
    for (const [wanted, ...titles] of [
      ['UK', 'Ukraine', 'France'],
      ['US', 'Russia', 'Brazil'],
      ['Oman', 'Romania', 'Jordan'],
      ['Mali', 'Somalia', 'Ghana'],
    ] as const) {
      const markets = titles.map((title, i) => titled(i + 1, title));
      expect(pick(markets, wanted), wanted).to.deep.equal(titles);
    }
    const markets = ['Team UK', 'Côte d’Ivoire', '中国人民'].map((title, i) => titled(i + 1, title));
    for (const [i, part] of ['uk', 'côte', '国人'].entries())
      expect(pick(markets, part)).to.equal(`market-${i + 1}: Yes`);
  });

  it('is not one of whose name a part fits only where a number is cut', () => {
    for (const [wanted, ...titles] of [
      ['December 1', 'December 15', 'December 31'],
      ['10,000', '110,000', '120,000'],
      ['100', '1000', '200'],
      ['40', '40.5', '41.5'],
      ['0.5', '40.5', '41.5'],
      ['5', '40.5', '41'],
      ['GPT-5', 'GPT-5.5', 'GPT-6'],
      ['2-1', '12-1', '2-0'],
      ['5°C', '-5°C', '6°C'],
      ['0.5%', '-0.9 – -0.5%', '1 – 2%'],
      ['4', '−4 or below', '3'],
      ['$5', '-$5', '$6'],
      ['5m', '−$5m', '$6m'],
    ] as const) {
      const markets = titles.map((title, i) => titled(i + 1, title));
      expect(pick(markets, wanted), wanted).to.deep.equal(titles);
    }
    const markets = ['by December 31, 2026', '25 bps', 'above $110k'].map((title, i) => titled(i + 1, title));
    for (const [i, parts] of [['December 31', '31', '2026'], ['25'], ['110', '$110']].entries()) {
      for (const part of parts) expect(pick(markets, part), part).to.equal(`market-${i + 1}: Yes`);
    }
  });

  it('is not guessed where a part leaves out the comparison at its number, or the word that denies it', () => {
    for (const [wanted, title, ...others] of [
      ['1%', '<1%', '2–3%', '4%'],
      ['5', '>5', '3', '4'],
      ['5', '5+', '3', '4'],
      ['$5', '≥ $5', '$3', '$4'],
      ['5', '≤$5M', '$6M', '$7M'],
      ['4.5%', '4.5%+', '3%', '4%'],
      ['4.5', '4.5%+', '3%', '4%'],
      ['$1', '$1B+', '$3B', '$4B'],
      ['25', '25+ bps', '50 bps', '75 bps'],
      ['32', '32°F +', '30°F', '31°F'],
      ['-5', '<−5', '-4', '-3'],
      ['change', 'No change', '25 bps decrease', '25 bps increase'],
      ['guilty', 'Not guilty', 'Mistrial', 'Plea'],
      ['proliferation', 'Non-proliferation', 'Arms race', 'War'],
    ] as const) {
      const markets = [title, ...others].map((one, i) => titled(i + 1, one));
      expect(pick(markets, wanted), wanted).to.deep.equal([title]);
      expect(pick(markets, title), title).to.equal('market-1: Yes');
      expect(pick([sampleMarket(1, { question: title })], wanted), wanted).to.deep.equal(['Yes', 'No']);
    }
  });

  it('is not the neighbor of such a market, in whose name the part stands bare', () => {
    const markets = ['110–115k', '>115k', '<110k'].map((title, i) => titled(i + 1, title));
    expect(pick(markets, '115k')).to.deep.equal(['110–115k', '>115k']);
    expect(pick(markets, '110')).to.deep.equal(['110–115k', '<110k']);
    expect(pick(markets, '110-115')).to.equal('market-1: Yes');
  });

  it('is not guessed by a question in words where the short title has the comparison', () => {
    const market = titled(1, '<1%', { question: 'Will inflation be less than 1%?' });
    expect(pick([market, titled(2, '2–3%')], '1%')).to.deep.equal(['<1%']);
    expect(pick([market, titled(2, '2–3%')], 'less than 1%')).to.equal('market-1: Yes');
  });

  it('is found by a part beside a comparison, or with it', () => {
    const markets = ['>5% growth', '50+ bps increase', 'North Korea', 'No. 1 seed'].map((title, i) =>
      titled(i + 1, title),
    );
    for (const [i, parts] of [['growth', '>5', '>5%'], ['increase', '50+'], ['Korea'], ['1 seed']].entries()) {
      for (const part of parts) expect(pick(markets, part), part).to.equal(`market-${i + 1}: Yes`);
    }
  });

  it('is the Yes where its market is named, whichever comes first', () => {
    const turned = sampleMarket(5, { groupItemTitle: 'Rain', labels: ['No', 'Yes'] });
    expect(pick([turned])).to.equal('market-5: Yes');
    expect(pick([game, turned], 'rain')).to.equal('market-5: Yes');
  });
});

describe('the outcome among rows of which some cannot be read', () => {
  const torn = (markets: readonly Market[], outcome?: string) =>
    shown(
      pickAmong(sampleEvent('an-event', markets, { listedCount: markets.length + 1, unreadableCount: 1 }), outcome),
    );
  const [alice, bob] = [titled(1, 'Alice Smith'), titled(2, 'Bob')];

  const table: readonly [string, readonly Market[], string | undefined, string | readonly string[]][] = [
    ['is asked for, though one is left', [alice], undefined, ['Alice Smith']],
    ['is not the No of the one that is left', [alice], 'No', ['Alice Smith']],
    ['is found by its whole name', [alice], 'alice smith', 'market-1: Yes'],
    ['may be one of those where a part fits', [alice, bob], 'Alice', 'unreadable'],
    ['may be one of those where nothing fits', [alice, bob], 'Carol', 'unreadable'],
    ['may be one of those where none is left', [], undefined, 'unreadable'],
  ];
  for (const [title, markets, outcome, expected] of table) {
    it(title, () => expect(torn(markets, outcome)).to.deep.equal(expected));
  }
});

describe('names that people and the venue write differently', () => {
  const same: readonly (readonly [string, string, string])[] = [
    ['dashes', 'Over–Under — 1‑2', 'over-under - 1-2'],
    ['a minus sign', '−0.5', '-0.5'],
    ['apostrophes', 'O’Neill', "o'neill"],
    ['quotes', '“Mank”', '"mank"'],
    ['blanks', 'No\u00a0 change\u2009', 'no change'],
    ['wide letters', 'ＦＣ　Tokyo', 'fc tokyo'],
    ['ligatures and signs of compatibility', 'ﬁfty ½', 'FIFTY 1⁄2'],
    ['accents in two characters', 'Atle\u0301tico', 'ATLÉTICO'],
    ['accents and none', 'Kylian Mbappé', 'kylian mbappe'],
    ['several accents on one letter', 'Nguyễn', 'NGUYEN'],
    ['accents of Greek', 'Αθήνα', 'αθηνα'],
    ['İ', 'İstanbul', 'istanbul'],
    ['I without and with a dot', 'ISTANBUL', 'ıstanbul'],
    ['ß', 'Weiß', 'WEISS'],
    ['a sigma at the end', 'ΟΔΟΣ', 'οδος'],
    ['marks that are not seen', 'Bo\u00adb', 'bo b'],
  ];
  for (const [what, venue, person] of same) {
    it(`are the same: ${what}`, () => {
      const markets = [titled(1, venue), titled(2, 'Somebody else')];
      expect(pick(markets, person)).to.equal('market-1: Yes');
      expect(pick([titled(1, person), titled(2, 'Somebody else')], venue)).to.equal('market-1: Yes');
    });
  }

  it('are not the same where a mark makes another letter of one', () => {
    for (const [venue, person] of [
      ['Край', 'Краи'],
      ['かき', 'がき'],
    ] as const) {
      expect(pick([titled(1, venue), titled(2, 'Somebody else')], person)).to.deep.equal([venue, 'Somebody else']);
    }
  });

  it('are both offered by another name where they differ in accents alone', () => {
    const twins = [titled(1, 'Müller'), titled(2, 'Muller')];
    for (const name of ['muller', 'Müller']) expect(pick(twins, name)).to.deep.equal(['market-1', 'market-2']);
  });

  it('are folded once and for all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(foldName(foldName(name))).to.equal(foldName(name));
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
