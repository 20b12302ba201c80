import { expect } from 'chai';
import { capture, readCaptureJson, readCaptureLines } from '#test/support/captures';
import { hex64 } from '#test/support/trade-rows';
import { clobPayoutMicros, parseClobWinner } from '#wire/polymarket/clob-winner';
import { type GammaMarketFacts, parseGammaMarketFacts } from '#wire/polymarket/gamma-market-facts';
import { parseVenueTimeS } from '#wire/polymarket/venue-time';

const read = (file: string): GammaMarketFacts => parseGammaMarketFacts(readCaptureJson(`gamma/${file}`))!;
const atS = (text: string) => Date.parse(text) / 1_000;

describe('a recorded Gamma market, as ratings look at it', () => {
  it('of a game ends with its start, not with its end date', function () {
    capture(this, 'gamma');
    expect(read('gamma_market_sports_market_money_line.json')).to.deep.include({
      event: 'cs2-faze-ill-2026-04-05',
      seriesSlug: 'counter-strike',
      scheduledEndS: atS('2026-04-05T15:10:00Z'),
      closedAtS: atS('2026-04-05T19:37:33Z'),
      payoutMicros: [1_000_000, 0],
      feeType: 'sports_fees_v2',
      feeRate: 0.03,
      sportsMarketType: 'moneyline',
    });
  });

  it('that is open has neither a payout nor an end, whatever its prices are', function () {
    capture(this, 'gamma');
    const facts = read('gamma_market_updown.2026-06.json');
    expect(facts).to.deep.include({ closed: false, closedAtS: null, payoutMicros: null, outcomes: ['Up', 'Down'] });
    expect(facts).to.include({ scheduledEndS: atS('2026-06-24T07:55:00Z'), feeRate: 0.07, feeExponent: 1 });
  });

  it('that is closed pays the clear winner, and ["0","0"] or a scale pay nothing that we know', function () {
    capture(this, 'gamma');
    expect(read('gamma_market_closed_binary_accepting_false.json').payoutMicros).to.deep.equal([0, 1_000_000]);
    expect(read('gamma_market_closed_zero_zero_legacy.json').payoutMicros).to.equal(null);
    expect(read('gamma_market_closed_nonbinary_legacy.json').payoutMicros).to.equal(null);
  });

  it('is read from every one of 14,400 open markets, none of them with a payout', function () {
    capture(this, 'gamma');
    const pages = ['part1', 'part2'].flatMap((part) =>
      readCaptureLines(`gamma/active-markets-2026-03-11.${part}.pages.jsonl.gz`),
    ) as { markets: unknown[] }[];
    const facts = pages.flatMap(({ markets }) => markets.map(parseGammaMarketFacts));
    expect(facts).to.have.length(14_400);
    expect(facts.filter((one) => one === null || one.payoutMicros !== null || one.tokens.length !== 2)).to.deep.equal(
      [],
    );
    // A game's start is written in another form than an end date.
    const games = facts.filter((one) => one?.gameStartTime);
    expect(games.length).to.be.above(4_000);
    expect(
      games.filter((one) => one?.scheduledEndS !== atS(one!.gameStartTime!.replace('+00', 'Z').replace(' ', 'T'))),
    ).to.deep.equal([]);
  });

  it('pays as 5,520 resolved markets were decided, and leaves the archived ones with a last price open', function () {
    capture(this, 'resolutions');
    const rows = readCaptureJson('resolutions/resolved_markets_2024_2026.json.gz') as Record<string, unknown>[];
    const paid = rows.map(
      (row) => parseGammaMarketFacts({ slug: 'a-market', ...row, tags: [], closed: true })?.payoutMicros ?? null,
    );
    const winner = paid.map((payout, i) => payout && JSON.parse(String(rows[i]?.outcomes))[payout.indexOf(1_000_000)]);
    expect(winner.filter((label) => label !== null)).to.have.length(5_520);
    expect(winner.filter((label, i) => label !== null && label !== rows[i]?.resolvedOutcome)).to.deep.equal([]);
    const unclear = rows.filter((_, i) => paid[i] === null).map(({ outcomePrices }) => outcomePrices ?? null);
    expect([unclear.length, unclear.filter((prices) => prices === null).length]).to.deep.equal([191, 174]);
    expect(rows.every(({ closedTime }) => parseVenueTimeS(String(closedTime)) !== null)).to.equal(true);
  });
});

describe('a Gamma market', () => {
  const market = (fields: object) => parseGammaMarketFacts({ ...WHOLE, ...fields });
  const WHOLE = { conditionId: hex64(1), slug: 'a-market', outcomes: '["Yes", "No"]', closed: false };
  const decided = { closed: true, outcomePrices: '["1", "0"]' };

  it('is not decided before its oracle has spoken the last word, in whichever words that is said', () => {
    expect(market(decided)?.payoutMicros).to.deep.equal([1_000_000, 0]);
    for (const word of ['resolved', 'Resolved', 'settled']) {
      expect(market({ ...decided, umaResolutionStatus: word })?.payoutMicros, word).to.deep.equal([1_000_000, 0]);
      expect(market({ ...decided, umaResolutionStatus: word })?.isResolved, word).to.equal(word !== 'settled');
    }
    for (const word of ['proposed', 'Proposed', 'disputed', 'requested', 'challenged', 'paused', 'a word to come']) {
      expect(market({ ...decided, umaResolutionStatus: word })?.payoutMicros, word).to.equal(null);
      expect(market({ ...decided, resolutionStatus: word })?.payoutMicros, word).to.equal(null);
    }
  });

  const prices: readonly (readonly [string[], readonly number[] | null])[] = [
    [
      ['0.999', '0.001'],
      [1_000_000, 0],
    ],
    [
      ['0.0005', '0.9995'],
      [0, 1_000_000],
    ],
    [['0.998', '0.002'], null],
    [['0.999', '0.002'], null],
    [['0.5', '0.5'], null],
    [['0', '0'], null],
    [['1', '1'], null],
    [['1', '0', '0'], null],
    [['1'], null],
    [['x', '0'], null],
    [[], null],
  ];
  for (const [outcomePrices, payout] of prices) {
    it(`closed at ${outcomePrices.join(' and ') || 'no prices'} pays ${payout?.join(' and ') ?? 'nothing known'}`, () => {
      expect(market({ closed: true, outcomePrices: JSON.stringify(outcomePrices) })?.payoutMicros).to.deep.equal(
        payout,
      );
      expect(market({ closed: false, outcomePrices: JSON.stringify(outcomePrices) })?.payoutMicros).to.equal(null);
    });
  }

  const odd: Readonly<Record<string, readonly unknown[]>> = {
    conditionId: [undefined, 5, '0x12'],
    slug: [undefined, null, [5], ''],
    closed: [undefined, null, 'yes', 1],
    outcomes: [undefined, '{', '[]', 7, '[[1], 2]'],
    outcomePrices: ['{', 7],
    clobTokenIds: [7, '[[7]]', [1e77]],
    positionIds: [{}],
    version: ['v3', 2],
    umaResolutionStatuses: ['proposed', 7],
    resolutionStatus: [7],
    events: ['none', [null]],
    tags: [[7], 'sports'],
    endDate: [3, 'soon'],
    gameStartTime: [1_780_000_000],
    closedTime: ['later'],
    feesEnabled: ['yes', 1],
    feeSchedule: [1, 'none', { rate: 'x', exponent: 1 }, { rate: 0.05, exponent: 'x' }, { rate: -0.05, exponent: 1 }],
    feeType: [[7]],
  };
  for (const [field, values] of Object.entries(odd)) {
    it(`cannot be read with another form of ${field}`, () => {
      for (const value of values) expect(market({ [field]: value }), JSON.stringify(value)).to.equal(null);
      const { [field]: _, ...without } = WHOLE as Record<string, unknown>;
      if (values.includes(undefined)) expect(parseGammaMarketFacts(without), 'absent').to.equal(null);
    });
  }

  it('has a fee in numbers, or in the text of numbers, of which one may be missing', () => {
    const fee = (feeSchedule: object) => {
      const { feeRate, feeExponent } = market({ feeSchedule })!;
      return [feeRate, feeExponent];
    };
    expect(fee({ rate: '0.05', exponent: '1' })).to.deep.equal([0.05, 1]);
    expect(fee({ rate: 0.05, exponent: 0.5 })).to.deep.equal([0.05, 0.5]);
    expect(fee({ rate: 0 })).to.deep.equal([0, null]);
  });

  it('is read the same in either spelling of its values, and by its version', () => {
    const usual = {
      closed: true,
      feesEnabled: true,
      feeSchedule: { rate: 0.05, exponent: 1 },
      clobTokenIds: '["7", "8"]',
    };
    const other = {
      closed: 'true',
      feesEnabled: 'True',
      feeSchedule: '{"rate": "0.05", "exponent": "1"}',
      clobTokenIds: [7, 8],
      outcomes: ['Yes', 'No'],
      events: '[]',
    };
    expect(market(usual)).to.deep.include({ closed: true, feesEnabled: true, feeRate: 0.05, tokens: ['7', '8'] });
    expect(market(other)).to.deep.equal(market(usual));
    expect(market({ ...usual, version: 'v2', positionIds: ['9', '10'] })?.tokens).to.deep.equal(['9', '10']);
    expect(market({ ...usual, version: 'v2' })?.tokens).to.deep.equal([]);
    expect(market({ ...decided, resolutionStatus: 'resolved' })?.isResolved).to.equal(true);
    expect(market({ ...decided, resolutionStatus: 'proposed' })?.payoutMicros).to.equal(null);
  });

  it('may lack its event, end, tags, tokens and fee, and is none without a condition', () => {
    expect(market({})).to.deep.include({ event: '', tokens: [], scheduledEndS: null, tags: [], feeRate: null });
    for (const raw of [null, 'text', [], {}, { conditionId: '' }]) expect(parseGammaMarketFacts(raw)).to.equal(null);
  });
});

describe('the CLOB on how a market ended', () => {
  it('names the winner of 579 recorded markets, 50/50 for 7, and none for the rest', function () {
    capture(this, 'clob-rest');
    const { data } = readCaptureJson('clob-rest/clob_markets_page0.json.gz') as { data: Record<string, unknown>[] };
    const counts: Record<string, number> = {};
    for (const raw of data) {
      const tokens = (raw.tokens as { token_id: string }[]).map((token) => token.token_id);
      const received = parseClobWinner(raw);
      const payout = received === null ? 'no condition' : String(clobPayoutMicros(received, tokens)?.toSorted());
      counts[payout] = (counts[payout] ?? 0) + 1;
    }
    expect(counts).to.deep.equal({ '0,1000000': 579, '500000,500000': 7, undefined: 360, 'no condition': 54 });
  });

  const received = { condition: hex64(1), closed: true, isFiftyFifty: false, winningTokens: ['8'] };
  it('pays the outcome of the winning token, in the order of the market', () => {
    expect(clobPayoutMicros(received, ['7', '8'])).to.deep.equal([0, 1_000_000]);
    expect(clobPayoutMicros(received, ['8', '7'])).to.deep.equal([1_000_000, 0]);
  });

  it('pays nothing of an open market, of two winners, or of a token of another market', () => {
    expect(clobPayoutMicros({ ...received, closed: false }, ['7', '8'])).to.equal(null);
    expect(clobPayoutMicros({ ...received, winningTokens: ['7', '8'] }, ['7', '8'])).to.equal(null);
    expect(clobPayoutMicros(received, ['5', '6'])).to.equal(null);
    expect(
      clobPayoutMicros({ ...received, winningTokens: [], closed: false, isFiftyFifty: true }, ['7', '8']),
    ).to.equal(null);
    expect(parseClobWinner({ error: 'not found' })).to.equal(null);
  });
});

describe('a moment of the venue', () => {
  const table: readonly (readonly [string | null | undefined, number | null])[] = [
    ['2026-04-05T15:10:00Z', 1_775_401_800],
    ['2026-04-05 15:10:00+00', 1_775_401_800],
    ['2026-04-05 17:10:00+02', 1_775_401_800],
    ['2026-04-05T15:10:00.999Z', 1_775_401_800],
    ['2026-04-05 15:10:00.5+00:00', 1_775_401_800],
    ['2026-04-05T15:10:00', 1_775_401_800],
    ['2026-04-05', 1_775_347_200],
    ['', null],
    [null, null],
    [undefined, null],
    ['soon', null],
    ['-1', null],
    ['2026', null],
    ['1775401800', null],
  ];
  for (const [text, timeS] of table) {
    it(`reads ${JSON.stringify(text)} as ${timeS}`, () => expect(parseVenueTimeS(text)).to.equal(timeS));
  }
});
