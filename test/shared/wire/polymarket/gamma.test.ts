import { expect } from 'chai';
import { FEE_FREE, FEE_UNKNOWN, type Market } from '#domain/market';
import { needCaptures, readCaptureJson, readCaptureLines } from '#test/support/captures';
import { hex64 } from '#test/support/trade-rows';
import { type GammaMarket, parseGammaEvent, parseGammaMarket } from '#wire/polymarket/gamma';

const FED = 'gamma/fed-decision-in-june-825';
const WIRE = {
  conditionId: hex64(0xab).replace('ab', 'AB'),
  slug: 'a-market',
  question: 'Will it?',
  outcomes: '["Yes", "No"]',
  clobTokenIds: '["7", "8"]',
  active: true,
  closed: false,
  acceptingOrders: false,
  enableOrderBook: false,
};

function market(raw: unknown): Market {
  const parsed = parseGammaMarket(raw);
  if (parsed.kind !== 'market') throw new Error(`rejected: ${parsed.reason}`);
  return parsed.market;
}

function tally(parsed: readonly GammaMarket[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of parsed) {
    const what = one.kind === 'rejected' ? one.reason : one.isFeeReported ? 'fee told' : 'fee not told';
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

const fee = (facts: object) => {
  const parsed = parseGammaMarket({ ...WIRE, ...facts });
  return parsed.kind === 'market' ? { fee: parsed.market.fee, told: parsed.isFeeReported } : parsed;
};

describe('Gamma markets', () => {
  it('reads all 14,400 markets of a recorded crawl', function () {
    needCaptures(this);
    const parsed = ['part1', 'part2'].flatMap((part) => {
      const pages = readCaptureLines(`gamma/active-markets-2026-03-11.${part}.pages.jsonl.gz`) as {
        markets: unknown[];
      }[];
      return pages.flatMap((page) => page.markets.map(parseGammaMarket));
    });
    // Recorded before the venue put the schedule into its answers: 1,299 markets have fees and do
    // not say which.
    expect(tally(parsed)).to.deep.equal({ 'fee told': 13_101, 'fee not told': 1_299 });
    const markets = parsed.flatMap((one) => (one.kind === 'market' ? [one.market] : []));
    expect(Math.max(...markets.map(({ question }) => question.length)), 'none is cut').to.be.below(300);
    expect(Math.max(...markets.map((one) => one.groupItemTitle?.length ?? 0))).to.be.below(160);
    const labels = markets.flatMap((one) => one.outcomes.map(({ label }) => label.length));
    expect(Math.max(...labels)).to.be.below(64);
    expect(markets.filter((one) => one.placeholder)).to.have.length(1);
    expect(markets.filter((one) => one.matchingDelayS === 3)).to.have.length(7_070);
    expect(markets.filter((one) => one.status.umaResolutionStatus !== '')).to.have.length(216);
    expect(new Set(markets.flatMap((one) => one.outcomes.map((outcome) => outcome.tokenId))).size).to.equal(28_800);
  });

  it('rejects the oldest markets that cannot be priced, each for its reason', function () {
    needCaptures(this);
    const parsed = (readCaptureJson('gamma/legacy_closed_markets_2020_2021.json.gz') as unknown[]).map(
      parseGammaMarket,
    );
    expect(tally(parsed)).to.deep.equal({ 'fee told': 469, not_binary: 28, no_tokens: 3 });
  });

  it('reads the recorded Fed event: five markets at 0.05 economics_fees', function () {
    needCaptures(this);
    const event = parseGammaEvent(readCaptureJson(`${FED}/gamma-event.json`));
    expect(event?.slug).to.equal('fed-decision-in-june-825');
    expect(event?.markets.map((one) => one.groupItemTitle)).to.include('25 bps decrease');
    expect(event?.markets).to.have.length(5);
    for (const one of event?.markets ?? []) {
      expect(one.fee).to.deep.equal({ rate: 0.05, exponent: 1, category: 'economics_fees', known: true });
      expect(one).to.include({ negRisk: true, placeholder: false, minOrderShares: 5 });
    }
  });

  it('reads the fees of a crypto and of a sports market', function () {
    needCaptures(this);
    expect(market(readCaptureJson('gamma/gamma_market_updown.2026-06.json')).fee).to.include({
      rate: 0.07,
      category: 'crypto_fees_v2',
    });
    const sports = market(readCaptureJson('gamma/gamma_market_sports_market_money_line.json'));
    expect(sports.fee).to.include({ rate: 0.03, category: 'sports_fees_v2' });
    expect(sports.status).to.include({ closed: true, acceptingOrders: false, umaResolutionStatus: 'resolved' });
    expect(sports.outcomes.map((outcome) => outcome.label)).to.deep.equal(['FaZe', 'illwill']);
  });

  it('shows a closed market as closed even where it still says that it accepts orders', function () {
    needCaptures(this);
    const { status } = market(readCaptureJson('gamma/gamma_market_closed_binary_accepting_true.json'));
    expect(status).to.include({ closed: true, acceptingOrders: true });
  });

  it('takes what is left out as the careful answer', () => {
    expect(market(WIRE)).to.deep.equal({
      conditionId: hex64(0xab),
      slug: 'a-market',
      question: 'Will it?',
      groupItemTitle: null,
      outcomes: [
        { label: 'Yes', tokenId: '7' },
        { label: 'No', tokenId: '8' },
      ],
      minOrderShares: 5,
      negRisk: false,
      placeholder: false,
      status: {
        active: true,
        closed: false,
        acceptingOrders: false,
        orderBookEnabled: false,
        umaResolutionStatus: '',
      },
      fee: FEE_UNKNOWN,
      matchingDelayS: 0,
      gameDueMs: null,
    });
  });

  it('keeps of what strangers wrote one line of so many characters, and no slug that is none', () => {
    const long = (charCount: number) => 'W'.repeat(charCount);
    const bidi = '\u202e\u2066taken\u2069\u200f\u0000\u001b[2J\n\u2028x';
    const outcomes = JSON.stringify([`1 ${long(200_000)}`, bidi]);
    const facts = { question: long(200_000), groupItemTitle: `${' '.repeat(999)}${long(199)}`, outcomes };
    const one = market({
      ...WIRE,
      ...facts,
      umaResolutionStatus: long(999),
      feeSchedule: { rate: 0, exponent: 1 },
      feeType: long(999),
    });
    expect([one.question, one.groupItemTitle]).to.deep.equal([long(300), long(160)]);
    expect(one.outcomes.map(({ label }) => label)).to.deep.equal([`1 ${long(62)}`, 'taken    [2J  x']);
    expect([one.status.umaResolutionStatus, one.fee.category]).to.deep.equal([long(64), long(64)]);
    expect(market({ ...WIRE, question: bidi }).question).to.equal('taken    [2J  x');
    expect(market({ ...WIRE, question: '💩'.repeat(999) }).question, 'no half character').to.equal('💩'.repeat(300));
    for (const slug of ['', long(301), 'a b', 'a\u202eb', 'a\nb']) {
      expect(parseGammaMarket({ ...WIRE, slug }), slug).to.deep.equal({ kind: 'rejected', reason: 'malformed' });
      expect(parseGammaEvent({ slug, markets: [] }), slug).to.equal(null);
    }
    expect(parseGammaEvent({ slug: 'e', title: bidi + long(999), markets: [] })?.title).to.match(/^taken.{10}W{285}$/);
  });

  const ids = { clobTokenIds: '["7", "8"]', positionIds: ['9', '10'] };
  const protocols: readonly (readonly [string, object, readonly string[] | string])[] = [
    ['no version', ids, ['7', '8']],
    ['an empty version', { ...ids, version: '' }, ['7', '8']],
    ['version v1', { ...ids, version: 'v1' }, ['7', '8']],
    ['version v2', { ...ids, version: 'v2' }, ['9', '10']],
    ['version v2, and nothing else', { version: 'v2', clobTokenIds: null, positionIds: ['9', '10'] }, ['9', '10']],
    ['version v2 without its own', { version: 'v2', clobTokenIds: '["7", "8"]', positionIds: null }, 'malformed'],
    ['version v1 with the others alone', { version: 'v1', clobTokenIds: null, positionIds: ['9', '10'] }, 'malformed'],
    [
      'no version, and a condition of the second protocol',
      { ...ids, conditionId: `0x${'ab'.repeat(31)}` },
      'malformed',
    ],
    ['a version that nobody knows', { ...ids, version: 'v3' }, 'malformed'],
    ['a version of another kind', { ...ids, version: {} }, 'malformed'],
  ];
  for (const [what, facts, expected] of protocols) {
    it(`takes the tokens that the version names, whichever are there: ${what}`, () => {
      const parsed = parseGammaMarket({ ...WIRE, ...facts });
      const tokens = parsed.kind === 'market' ? parsed.market.outcomes.map(({ tokenId }) => tokenId) : parsed.reason;
      expect(tokens).to.deep.equal(expected);
    });
  }

  const statuses: readonly (readonly [object, string])[] = [
    [{ umaResolutionStatus: '', resolutionStatus: '', umaResolutionStatuses: '' }, ''],
    [{ umaResolutionStatus: null, resolutionStatus: null, umaResolutionStatuses: '[]' }, ''],
    [{ resolutionStatus: 'inactive' }, ''],
    [{ resolutionStatus: 'resolved' }, 'resolved'],
    [{ version: 'v2', positionIds: ['9', '10'], resolutionStatus: 'paused' }, 'paused'],
    [{ umaResolutionStatuses: '["proposed"]' }, 'proposed'],
    [{ umaResolutionStatuses: ['proposed', 'disputed'] }, 'disputed'],
    [{ umaResolutionStatus: 'proposed', resolutionStatus: 'inactive', umaResolutionStatuses: '[]' }, 'proposed'],
    [{ resolutionStatus: 'inactive', umaResolutionStatuses: '["proposed"]' }, 'proposed'],
  ];
  for (const [facts, expected] of statuses) {
    it(`is under resolution by any of the words: ${JSON.stringify(facts)}`, () => {
      expect(market({ ...WIRE, ...facts }).status.umaResolutionStatus).to.equal(expected);
    });
  }

  it('reads numbers, flags, lists and objects in either spelling', () => {
    const usual = {
      ...WIRE,
      acceptingOrders: true,
      orderMinSize: 15,
      secondsDelay: 1,
      negRisk: true,
      groupItemTitle: '2026',
      feesEnabled: true,
      feeType: 'tech_fees',
      feeSchedule: { rate: 0.04, exponent: 1 },
    };
    const other = {
      ...usual,
      active: 'true',
      closed: 'false',
      acceptingOrders: 'True',
      enableOrderBook: 'false',
      orderMinSize: '15',
      secondsDelay: '1',
      negRisk: 'true',
      groupItemTitle: 2026,
      outcomes: ['Yes', 'No'],
      clobTokenIds: [7, 8],
      feesEnabled: 'true',
      feeSchedule: '{"rate": 0.04, "exponent": 1}',
    };
    expect(market(other)).to.deep.equal(market(usual));
    expect(market({ ...other, clobTokenIds: '[7, 8]' })).to.deep.equal(market(usual));
    expect(market({ ...WIRE, orderMinSize: '', secondsDelay: '' })).to.deep.equal(market(WIRE));
  });

  it('rejects what has no two outcomes, no tokens or no form', () => {
    const reason = (facts: object) => {
      const parsed = parseGammaMarket({ ...WIRE, ...facts });
      return parsed.kind === 'rejected' ? parsed.reason : 'market';
    };
    expect(reason({ outcomes: '["A", "B", "C"]' })).to.equal('not_binary');
    expect(reason({ clobTokenIds: null, closed: true, enableOrderBook: undefined })).to.equal('no_tokens');
    const malformed: readonly object[] = [
      { outcomes: null },
      { outcomes: '[]' },
      { outcomes: '["Yes"]' },
      { outcomes: 'Yes,No' },
      { clobTokenIds: null },
      { clobTokenIds: null, closed: true, enableOrderBook: true },
      { clobTokenIds: '["7"]' },
      { clobTokenIds: '["7", "7"]' },
      { clobTokenIds: '["7", "0x8"]' },
      { clobTokenIds: [7, 1e77] },
      { conditionId: undefined },
      { active: undefined },
      { active: 'yes' },
      { closed: null },
      { closed: '' },
      { closed: 1 },
      { acceptingOrders: undefined },
      { enableOrderBook: null },
      { orderMinSize: 'five' },
      { orderMinSize: -1 },
      { orderMinSize: '-1' },
      { secondsDelay: [] },
      { umaResolutionStatus: 7 },
      { umaResolutionStatuses: 'proposed' },
      { resolutionStatus: false },
      { feeSchedule: 'none' },
    ];
    for (const facts of malformed) expect(reason(facts), JSON.stringify(facts)).to.equal('malformed');
    expect(reason({ closed: true, acceptingOrders: undefined, enableOrderBook: undefined })).to.equal('market');
    expect(parseGammaMarket(null)).to.deep.equal({ kind: 'rejected', reason: 'malformed' });
  });

  it('takes "other" and slots that are not active yet as placeholders, but no closed market', () => {
    expect(market({ ...WIRE, negRiskOther: true }).placeholder).to.equal(true);
    expect(market({ ...WIRE, active: false }).placeholder).to.equal(true);
    expect(market({ ...WIRE, active: false, closed: true }).placeholder).to.equal(false);
  });

  it('takes the fee from the schedule alone, and says where it was not told', () => {
    const schedule = { rate: 0.05, exponent: 1, takerOnly: true, rebateRate: 0.25 };
    expect(fee({ feesEnabled: false, feeSchedule: schedule })).to.deep.equal({ fee: FEE_FREE, told: true });
    expect(fee({ feesEnabled: true })).to.deep.equal({ fee: FEE_UNKNOWN, told: false });
    expect(fee({ takerBaseFee: 1000 })).to.deep.equal({ fee: FEE_UNKNOWN, told: false });
    const received = { rate: 0.05, exponent: 1, category: 'tech_fees', known: true };
    expect(fee({ feesEnabled: true, feeType: 'tech_fees', feeSchedule: schedule })).to.deep.equal({
      fee: received,
      told: true,
    });
    expect(fee({ feeType: 'tech_fees', feeSchedule: schedule })).to.deep.equal({ fee: received, told: true });
    expect(fee({ feesEnabled: true, feeType: null, feeSchedule: { rate: 0, exponent: 1 } })).to.deep.equal({
      fee: { rate: 0, exponent: 1, category: 'unnamed schedule', known: true },
      told: true,
    });
  });

  it('does not believe a schedule outside the published form', () => {
    for (const odd of [
      { rate: 0.05 },
      { exponent: 1 },
      { rate: 0.05, exponent: 5 },
      { rate: 0.05, exponent: -1 },
      { rate: -0.01, exponent: 1 },
      { rate: 1.01, exponent: 1 },
      { rate: '0.05 or so', exponent: 1 },
      { rate: '-0.05', exponent: 1 },
      { rate: '', exponent: 1 },
      { rate: true, exponent: 1 },
    ]) {
      expect(fee({ feesEnabled: true, feeSchedule: odd }), JSON.stringify(odd)).to.deep.equal({
        fee: FEE_UNKNOWN,
        told: false,
      });
    }
  });

  describe('numbers of a fee', () => {
    const read = (feeSchedule: unknown, feeType?: string) => fee({ feesEnabled: true, feeSchedule, feeType });
    const told = (rate: number, exponent: number, category = 'unnamed schedule') => ({
      fee: { rate, exponent, category, known: true },
      told: true,
    });

    it('may be text', () => {
      expect(read({ rate: '0.05', exponent: '1' })).to.deep.equal(told(0.05, 1));
      expect(read({ rate: ' 0.05 ', exponent: 1 })).to.deep.equal(told(0.05, 1));
    });

    it('are what they say, also where the exponent is no whole one', () => {
      expect(read({ rate: 0.05, exponent: 0.5 })).to.deep.equal(told(0.05, 0.5));
      expect(read({ rate: 0.05, exponent: '1.5' })).to.deep.equal(told(0.05, 1.5));
    });

    it('need no exponent where the rate is 0', () => {
      for (const odd of [
        { rate: 0 },
        { rate: '0', exponent: null },
        { rate: 0, exponent: 0 },
        { rate: 0, exponent: 'x' },
      ])
        expect(read(odd), JSON.stringify(odd)).to.deep.equal(told(0, 1));
    });

    it('are 0 in the fee type zero_fees, unless the schedule says another', () => {
      for (const none of [undefined, null, {}, { exponent: 1 }])
        expect(read(none, 'zero_fees'), JSON.stringify(none)).to.deep.equal(told(0, 1, 'zero_fees'));
      expect(read({ rate: 0.05, exponent: 1 }, 'zero_fees')).to.deep.equal(told(0.05, 1, 'zero_fees'));
      expect(read({ rate: 'x' }, 'zero_fees')).to.deep.equal({ fee: FEE_UNKNOWN, told: false });
    });
  });

  describe('when a game was to be over', () => {
    const due = (facts: object) => {
      const { gameDueMs } = market({ ...WIRE, ...facts });
      return gameDueMs === null ? null : new Date(gameDueMs).toISOString().slice(0, 16);
    };

    it('is its end date, or its start where that is later', () => {
      const gameStartTime = '2026-08-20 18:30:00+00';
      expect(due({ gameStartTime, endDate: '2026-08-20T18:30:00Z' })).to.equal('2026-08-20T18:30');
      expect(due({ gameStartTime, endDate: '2026-08-27T18:30:00Z' })).to.equal('2026-08-27T18:30');
      expect(due({ gameStartTime, endDate: '2026-08-01T00:00:00Z' }), 'put off').to.equal('2026-08-20T18:30');
    });

    it('is a week after its start where no end date can be read', () => {
      for (const endDate of [undefined, null, '', 'soon', 7])
        expect(due({ gameStartTime: '2026-08-20 18:30:00+00', endDate })).to.equal('2026-08-27T18:30');
    });

    it('is not told of what has no start: its end date is no cut-off', () => {
      for (const gameStartTime of [undefined, null, '', 'soon', 7])
        expect(due({ gameStartTime, endDate: '2026-01-01T00:00:00Z' })).to.equal(null);
    });
  });

  it('reads a market that an event lists twice once, so that its name is that of one', () => {
    const market = { ...WIRE, groupItemTitle: 'Alice' };
    const other = { ...WIRE, conditionId: `0x${'b'.repeat(64)}`, groupItemTitle: 'Bob' };
    const event = parseGammaEvent({ slug: 'an-event', title: 'T', markets: [market, other, market] });
    expect(event?.markets.map(({ groupItemTitle }) => groupItemTitle)).to.deep.equal(['Alice', 'Bob']);
    expect(event?.listedCount).to.equal(2);
  });

  it('leaves out of an event what cannot be priced, and counts what it lists and what cannot be read', () => {
    const rows = [WIRE, { ...WIRE, outcomes: '["A", "B", "C"]' }, { ...WIRE, outcomes: '[]' }, 7];
    for (const markets of [rows, JSON.stringify(rows)]) {
      const event = parseGammaEvent({ slug: 'an-event', title: 'T', markets });
      expect(event?.markets.map((one) => one.slug)).to.deep.equal(['a-market']);
      expect(event).to.include({ listedCount: 4, unreadableCount: 2 });
    }
    expect(parseGammaEvent({ slug: 'an-event', markets: [] })).to.deep.equal({
      slug: 'an-event',
      title: '',
      markets: [],
      listedCount: 0,
      unreadableCount: 0,
    });
    expect(parseGammaEvent({ slug: 'an-event' })).to.equal(null);
    for (const markets of [null, undefined, {}, 'none', ''])
      expect(parseGammaEvent({ slug: 'an-event', markets })).to.equal(null);
    expect(parseGammaEvent({ title: 'no slug' })).to.equal(null);
  });
});
