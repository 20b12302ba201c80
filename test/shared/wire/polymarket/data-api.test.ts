import { expect } from 'chai';
import fc from 'fast-check';
import { formatScaled } from '#domain/decimal';
import { capture, readCapture, readCaptureJson } from '#test/support/captures';
import { hex40, hex64, pageV2, rowV1, rowV2, tradeNumber } from '#test/support/trade-rows';
import { parseTradesV1 } from '#wire/polymarket/data-api-v1';
import { parseResolutionsV2, parseTradesV2 } from '#wire/polymarket/data-api-v2';
import { toRoundedMicros } from '#wire/polymarket/rounded-micros';
import { parseRtdsFrame } from '#wire/polymarket/rtds';

const TIME_S = 1_780_000_000;
const TRADE = tradeNumber(3, TIME_S);
/** A condition of the second protocol; its first byte says that it is a combo. */
const COMBO = `0x03${'2d'.repeat(15)}${'00'.repeat(15)}`;

describe('recorded answers of the Data API', () => {
  /**
   * Rows, trades among them, wallets with a name. The rest of the rows are rewards, rebates and
   * redemptions.
   */
  const files: readonly (readonly [string, number, number, number])[] = [
    ['activity_0x4f3456c5_2026-02-17.json.gz', 500, 298, 1],
    ['whale1_activity_2026-02-17.json.gz', 99, 76, 1],
    ['edulabrador_activity_all.json', 50, 42, 1],
    ['edulabrador_trades.json', 5, 5, 4],
    ['data_trades.2026-06.json', 3, 3, 1],
    ['data_activity.2026-06.json', 3, 0, 0],
  ];
  for (const [file, rows, trades, names] of files) {
    it(`${file}: ${trades} trades of ${rows} rows`, function () {
      capture(this, 'wallets', file);
      const parsed = parseTradesV1(readCaptureJson(`wallets/${file}`))!;
      expect([parsed.rows, parsed.fills.length, parsed.skipped]).to.deep.equal([rows, trades, rows - trades]);
      expect(parsed.names).to.have.length(names);
      for (const fill of parsed.fills) {
        expect(fill.wallet).to.match(/^0x[0-9a-f]{40}$/);
        expect(fill.priceMicros).to.be.within(1, 1_000_000);
        expect(Number.isSafeInteger(fill.sizeMicros)).to.equal(true);
      }
    });
  }

  it('reads floats of the venue as the decimals they stand for', function () {
    capture(this, 'wallets');
    const { fills } = parseTradesV1(readCaptureJson('wallets/activity_0x4f3456c5_2026-02-17.json.gz'))!;
    const raw = (readCaptureJson('wallets/activity_0x4f3456c5_2026-02-17.json.gz') as { type: string; size: number }[])
      .filter(({ type }) => type === 'TRADE')
      .map(({ size }) => Math.round(size * 1e6));
    expect(fills.map(({ sizeMicros }) => sizeMicros)).to.deep.equal(raw);
  });

  it('takes the rows of the one-day tape, all but its exact repeats twice', function () {
    capture(this, 'wallets');
    const lines = readCapture('wallets/ibalgo_historical_trades_2026-01-08.csv.gz').trim().split('\n').slice(1);
    // title may hold commas: the fields behind it are counted from the end.
    const rows = lines.map((line) => {
      const fields = line.split(',');
      const [, size, price, side, asset, condition, wallet] = fields.slice(-8);
      const timestamp = Date.parse(`${fields[0]?.replace(' ', 'T')}Z`) / 1_000;
      return { ...rowV1(TRADE), proxyWallet: wallet, conditionId: condition, asset, side, size, price, timestamp };
    });
    const parsed = parseTradesV1(rows)!;
    expect([parsed.rows, parsed.skipped, new Set(parsed.fills.map(({ wallet }) => wallet)).size]).to.deep.equal([
      2_852, 0, 686,
    ]);
    expect(new Set(lines).size).to.be.below(lines.length);
  });

  it('gives up the pseudonym of a wallet whose name is its address', function () {
    capture(this, 'wallets');
    const { names } = parseTradesV1(readCaptureJson('wallets/whale1_activity_2026-02-17.json.gz'))!;
    expect(names).to.deep.equal([{ wallet: '0xe1df720a8b4dfc8c5ad4f185941355244b312524', name: 'Zesty-Nicety' }]);
  });
});

describe('a row of trades', () => {
  it('is read alike in both versions', () => {
    const fills = [TRADE, tradeNumber(4, TIME_S - 1)];
    expect(parseTradesV1(fills.map(rowV1))!.fills).to.deep.equal(fills);
    expect(parseTradesV2(pageV2(fills))!.fills).to.deep.equal(fills);
  });

  const others: readonly (readonly [string, Record<string, unknown>])[] = [
    ['another type', { type: 'REDEEM' }],
    ['no outcome, token and side', { outcomeIndex: 999, asset: '', side: '' }],
    ['the third outcome of an old market', { outcomeIndex: 2 }],
    ['a size of zero', { size: 0 }],
    ['dust at a price of zero', { size: 0.000001, price: 0 }],
    ['dust at a price above a dollar', { size: '0.0001', price: 1.5 }],
    ['a combo', { conditionId: COMBO, isCombo: true, slug: '', eventSlug: '' }],
    ['a combo that does not say so', { conditionId: COMBO }],
    ['a combo under a condition of 32 bytes', { isCombo: true }],
    ['a combo that lacks everything else', { isCombo: true, asset: undefined, price: null }],
    ['what became of a combo', { type: 'COMBO_REDEEM', conditionId: '', outcomeIndex: undefined }],
    ['a combo in an activity', { type: 'COMBO_TRADE' }],
    ['a market of a module that nobody knows', { conditionId: `0x09${'2d'.repeat(30)}` }],
    ['a condition of a protocol that nobody knows', { conditionId: `0x${'2d'.repeat(20)}` }],
    ['a longer one', { conditionId: `0x${'2d'.repeat(40)}` }],
  ];
  for (const [what, fields] of others) {
    it(`with ${what} is no trade, and its page is kept`, () => {
      const parsed = parseTradesV1([{ ...rowV1(TRADE), ...fields }, rowV1(TRADE)])!;
      expect([parsed.fills, parsed.skipped, parsed.unreadable]).to.deep.equal([[TRADE], 1, 0]);
    });
  }

  it('of a combo is none in the second version and in the live feed either', () => {
    const combo = { ...rowV2(TRADE), condition_id: COMBO, is_combo: true, slug: '', event_slug: '' };
    expect(parseTradesV2({ ...pageV2([TRADE]), data: [combo, { ...rowV2(TRADE), is_combo: false }] })).to.deep.include({
      fills: [TRADE],
      skipped: 1,
      unreadable: 0,
    });
    const frame = (payload: object) => parseRtdsFrame(JSON.stringify({ topic: 'activity', type: 'trades', payload }));
    expect(frame({ ...rowV1(TRADE), conditionId: COMBO, isCombo: true })).to.deep.equal({ kind: 'other' });
    expect(frame({ ...rowV1(TRADE), isCombo: false }).kind).to.equal('trade');
  });

  it('of a market of the second protocol is one like any other', () => {
    for (const module of ['01', '02']) {
      const conditionId = `0x${module}${'5b'.repeat(30)}`;
      expect(parseTradesV1([{ ...rowV1(TRADE), conditionId }])!.fills).to.deep.equal([
        { ...TRADE, condition: conditionId },
      ]);
    }
  });

  it('of a type that nobody knows has its own second told, if it is sound otherwise', () => {
    const unknown = { ...rowV1(TRADE), type: 'SETTLED_ABROAD', timestamp: TIME_S - 7 };
    const torn = [
      { ...unknown, timestamp: 'soon' },
      { ...unknown, proxyWallet: '' },
      { ...rowV1(TRADE), price: null },
    ];
    const parsed = parseTradesV1([unknown, rowV1(TRADE), ...torn])!;
    expect([parsed.fills, parsed.unreadable, parsed.unknownS]).to.deep.equal([[TRADE], 4, [TIME_S - 7]]);
  });

  it('that equals others of its page is another fill each time, and numbered', () => {
    const rows = [TRADE, tradeNumber(4, TIME_S), TRADE, TRADE].map(rowV1);
    expect(parseTradesV1(rows)!.fills).to.deep.equal([
      TRADE,
      tradeNumber(4, TIME_S),
      { ...TRADE, occurrence: 1 },
      { ...TRADE, occurrence: 2 },
    ]);
  });

  const wrong: readonly (readonly [string, Record<string, unknown>])[] = [
    ['an outcome index of 999, and a token', { outcomeIndex: 999 }],
    ['no outcome index', { outcomeIndex: undefined }],
    ['an empty token', { asset: '' }],
    ['a token that is no number', { asset: '0xabc' }],
    ['an empty side', { side: '' }],
    ['a side in lower case', { side: 'buy' }],
    ['no size', { size: undefined }],
    ['a negative size', { size: -5 }],
    ['a size beyond all shares', { size: 1e300 }],
    ['a price of zero', { price: 0 }],
    ['a price above a dollar', { price: 1.000001 }],
    ['a price that is no number', { price: 'NaN' }],
    ['milliseconds', { timestamp: TIME_S * 1_000 }],
    ['a time with a fraction', { timestamp: TIME_S + 0.5 }],
    ['no wallet', { proxyWallet: '' }],
    ['a name in place of the wallet', { proxyWallet: 'satoshi' }],
    ['an empty condition', { conditionId: '' }],
    ['a torn condition', { conditionId: '0x12' }],
    ['a torn hash', { transactionHash: '0x12' }],
    ['a type that nobody knows', { type: 'TRADES' }],
    ['a size under another name', { size: undefined, amount: 5 }],
  ];
  for (const [what, fields] of wrong) {
    it(`with ${what} cannot be read, and its page is kept`, () => {
      const parsed = parseTradesV1([{ ...rowV1(TRADE), ...fields }, rowV1(TRADE)])!;
      expect([parsed.fills, parsed.skipped, parsed.unreadable, parsed.rows]).to.deep.equal([[TRADE], 0, 1, 2]);
    });
  }

  it('that is no object cannot be read', () => {
    for (const torn of [null, 'text', 7, [], undefined]) {
      expect(parseTradesV1([torn, rowV1(TRADE)])).to.deep.include({ unreadable: 1, rows: 2 });
      expect(parseTradesV2({ ...pageV2([]), data: [torn, rowV2(TRADE)] })).to.deep.include({ unreadable: 1, rows: 2 });
    }
  });

  it('has one spelling, and may lack hash, event and name', () => {
    const row = {
      ...rowV1(TRADE),
      proxyWallet: hex40(0xab).toUpperCase().replace('X', 'x'),
      conditionId: hex64(0xcd).toUpperCase().replace('X', 'x'),
    };
    const { fills, names } = parseTradesV1([
      { ...row, transactionHash: null, eventSlug: null, pseudonym: null, name: null },
    ])!;
    expect(fills[0]).to.deep.include({ wallet: hex40(0xab), condition: hex64(0xcd), tx: '', event: '' });
    expect(names).to.deep.equal([]);
  });

  it('tells a name without control characters, cut to a hundred', () => {
    const name = `a\u0000b\u202e${'x'.repeat(200)}`;
    const { names } = parseTradesV1([{ ...rowV1(TRADE), name }])!;
    expect(names[0]?.name).to.equal(`a b ${'x'.repeat(96)}`);
  });
});

describe('a page of the second version', () => {
  it('says where the next one begins', () => {
    expect(parseTradesV2(pageV2([TRADE], 'abc'))).to.deep.include({ nextCursor: 'abc' });
    expect(parseTradesV2(pageV2([TRADE]))).to.deep.include({ nextCursor: null });
  });

  it('is none where it is something else, or has more and does not say where', () => {
    const pagination = { has_more: true, next_cursor: null };
    for (const raw of [null, [], {}, { data: [] }, { data: {}, pagination }, { data: [], pagination }]) {
      expect(parseTradesV2(raw), JSON.stringify(raw)).to.equal(null);
    }
    expect(parseTradesV1({ data: [] })).to.equal(null);
  });
});

describe('a resolution of the second version', () => {
  const row = {
    condition_id: hex64(9).toUpperCase().replace('X', 'x'),
    status: 'resolved',
    payouts: [0, 1_000_000],
    resolved_at: '2026-06-01T00:00:01.5Z',
  };
  const read = (fields: object) => parseResolutionsV2({ data: [{ ...row, ...fields }] })?.found.get(hex64(9));

  it('pays out what its vector says', () => {
    expect(read({})).to.deep.equal({ kind: 'final', payoutMicros: [0, 1_000_000], resolvedAtS: 1_780_272_001 });
    expect(read({ payouts: [500_000, 500_000] })).to.deep.include({ payoutMicros: [500_000, 500_000] });
    expect(read({ resolved_at: null })).to.deep.include({ kind: 'final', resolvedAtS: null });
    expect(read({ status: 'RESOLVED' })).to.deep.equal(read({}));
  });

  it('pays nothing out before it is final, and cannot be read without a vector that shares out a dollar', () => {
    expect(read({ status: 'disputed' })).to.deep.equal({ kind: 'open' });
    for (const payouts of [undefined, [], [0, 0], [1_000_000, 1_000_000], [500_000], [-1, 1_000_001], '1,0']) {
      expect(read({ payouts }), `${payouts}`).to.deep.equal({ kind: 'unreadable' });
    }
    for (const fields of [{ status: 1 }, { status: '' }, { resolved_at: 'soon' }, { resolved_at: 7 }]) {
      expect(read(fields), JSON.stringify(fields)).to.deep.equal({ kind: 'unreadable' });
    }
  });

  it('is told apart from a row that names no market, and an answer without data is none', () => {
    const received = parseResolutionsV2({ data: [null, { status: 'resolved' }, row] })!;
    expect([received.found.size, received.isTorn]).to.deep.equal([1, true]);
    expect(parseResolutionsV2({ data: [row] })?.isTorn).to.equal(false);
    expect(parseResolutionsV2([])).to.equal(null);
  });
});

describe('toRoundedMicros', () => {
  const table: readonly (readonly [number | string, number | null])[] = [
    [0.41000015010607493, 410_000],
    [11.988287999999999, 11_988_288],
    [10_980_911.728675, 10_980_911_728_675],
    ['0.0000005', 1],
    ['0.00000049999999999', 0],
    [5e-7, 1],
    [1e-7, 0],
    [0, 0],
    ['.5', 500_000],
    ['5.', null],
    ['', null],
    ['.', null],
    ['1e3', null],
    ['-1', null],
    [' 1', null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [1e21, null],
    ['9007199254.740991', 9_007_199_254_740_991],
    ['9007199254.7409915', null],
  ];
  for (const [value, micros] of table) {
    it(`reads ${JSON.stringify(value)} as ${micros}`, () => expect(toRoundedMicros(value)).to.equal(micros));
  }

  it('gives back every count of micros that is written as a decimal, also through a float', () => {
    fc.assert(
      fc.property(fc.nat(4_000_000_000_000), (micros) => {
        expect(toRoundedMicros(formatScaled(micros, 6))).to.equal(micros);
        expect(toRoundedMicros(Number(formatScaled(micros, 6)))).to.equal(micros);
      }),
    );
  });
});
