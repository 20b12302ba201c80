import { expect } from 'chai';
import { Ladder } from '#domain/book/ladder';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { planOrder } from '#domain/plan/plan-order';
import { WALKS_MAX } from '#domain/plan/planned';

type Levels = readonly (readonly [price: string, shares: string])[];

interface Case {
  readonly side?: 'BUY' | 'SELL';
  readonly tick: string | null;
  readonly usd: number;
  readonly levels: Levels;
  readonly capCents?: number;
}

function ladderOf(kind: 'bids' | 'asks', levels: Levels): Ladder {
  const ladder = new Ladder(kind);
  for (const [price, shares] of levels) ladder.set(parsePriceTicks(price)!, parseSizeMicros(shares)!);
  return ladder;
}

function plan({ side = 'BUY', tick, usd, levels, capCents = 1 }: Case) {
  const book = {
    asks: ladderOf('asks', side === 'BUY' ? levels : []),
    bids: ladderOf('bids', side === 'SELL' ? levels : []),
  };
  return planOrder({ side, usdMicros: Math.round(usd * 1e6), book, tickSize: tick, capCents });
}

function planned(order: Case) {
  const found = plan(order).planned;
  if (found.kind === 'none') throw new Error(`no plan: ${found.reason}`);
  const { form, worstTicks, makerMicros, takerMicros, leftMicros, exactAlternative } = found.order;
  const alternative = exactAlternative && [Number(exactAlternative.makerMicros), Number(exactAlternative.takerMicros)];
  return [form, worstTicks, Number(makerMicros), Number(takerMicros), Number(leftMicros), alternative];
}

describe('a plan of an order', () => {
  const rows: readonly (readonly [says: string, order: Case, right: readonly unknown[]])[] = [
    [
      'spends all that it may where price and amounts fit',
      { tick: '0.01', usd: 20, levels: [['0.64', '90']] },
      ['exact', 6_400, 20_000_000, 31_250_000, 0, null],
    ],
    [
      'leaves some cents unspent so that its price is exact, up to 2 %',
      { tick: '0.01', usd: 51, levels: [['0.35', '300']] },
      ['exact', 3_500, 50_960_000, 145_600_000, 40_000, null],
    ],
    [
      'leaves exactly 2 %',
      { tick: '0.01', usd: 5, levels: [['0.49', '50']] },
      ['exact', 4_900, 4_900_000, 10_000_000, 100_000, null],
    ],
    [
      'names no price of 1 USD, at which every spend were exact',
      { tick: '0.001', usd: 5, levels: [['0.999', '50']] },
      ['floor4', 9_990, 5_000_000, 5_005_000, 0, null],
    ],
    [
      'rounds its shares down where more than 2 % would be left',
      { tick: '0.01', usd: 3, levels: [['0.93', '50']] },
      ['floor4', 9_300, 3_000_000, 3_225_800, 0, [2_790_000, 3_000_000]],
    ],
    [
      'has no exact alternative below 1 USD',
      { tick: '0.01', usd: 1.01, levels: [['0.71', '50']] },
      ['floor4', 7_100, 1_010_000, 1_422_500, 0, null],
    ],
    [
      'leaves parts of a cent alone',
      { tick: '0.01', usd: 20.009999, levels: [['0.5', '90']] },
      ['exact', 5_000, 20_000_000, 40_000_000, 9_999, null],
    ],
    [
      'names the price of the last level that it takes',
      {
        tick: '0.01',
        usd: 40.5,
        levels: [
          ['0.4', '100'],
          ['0.47', '100'],
          ['0.48', '100'],
        ],
      },
      ['exact', 4_700, 40_420_000, 86_000_000, 80_000, null],
    ],
    [
      'names a better one where what it spends ends there',
      {
        tick: '0.01',
        usd: 40.03,
        levels: [
          ['0.4', '100'],
          ['0.47', '100'],
        ],
      },
      ['exact', 4_000, 39_950_000, 99_875_000, 80_000, null],
    ],
    [
      'names the whole level that it ends with, not the next one',
      {
        tick: '0.01',
        usd: 40,
        levels: [
          ['0.4', '100'],
          ['0.47', '100'],
        ],
      },
      ['exact', 4_000, 40_000_000, 100_000_000, 0, null],
    ],
    [
      'ends with a whole level where the next one leaves too much, rather than name a higher price',
      {
        tick: '0.001',
        usd: 313.77,
        levels: [
          ['0.627', '500'],
          ['0.628', '500'],
          ['0.629', '5000'],
        ],
      },
      ['exact', 6_270, 313_500_000, 500_000_000, 270_000, null],
    ],
    [
      'ends so also where the caller takes no higher price',
      {
        tick: '0.001',
        usd: 96.35,
        levels: [
          ['0.963', '100'],
          ['0.964', '100'],
        ],
        capCents: 0.05,
      },
      ['exact', 9_630, 96_300_000, 100_000_000, 50_000, null],
    ],
    [
      'names a price up to half a cent higher if that is the exact one',
      { tick: '0.005', usd: 5, levels: [['0.395', '500']] },
      ['exact', 4_000, 5_000_000, 12_500_000, 0, null],
    ],
    [
      'takes the lowest of several such prices',
      { tick: '0.0001', usd: 40, levels: [['0.9973', '500']] },
      ['exact', 9_975, 39_900_000, 40_000_000, 100_000, null],
    ],
    [
      'names no price beyond the slippage that the caller takes',
      { tick: '0.005', usd: 5, levels: [['0.395', '500']], capCents: 0.499999 },
      ['floor4', 3_950, 5_000_000, 12_658_200, 0, [4_740_000, 12_000_000]],
    ],
    [
      'names one at that very slippage',
      { tick: '0.005', usd: 5, levels: [['0.395', '500']], capCents: 0.5 },
      ['exact', 4_000, 5_000_000, 12_500_000, 0, null],
    ],
    [
      'counts that slippage from the best price, not from the worst',
      {
        tick: '0.005',
        usd: 5,
        levels: [
          ['0.39', '1'],
          ['0.395', '500'],
        ],
        capCents: 0.9,
      },
      ['floor4', 3_950, 5_000_000, 12_658_200, 0, [4_740_000, 12_000_000]],
    ],
    [
      'has three decimals of shares on a step of 0.1, which has no more',
      { tick: '0.1', usd: 1.04, levels: [['0.7', '50']] },
      ['floor4', 7_000, 1_040_000, 1_485_000, 0, null],
    ],
    [
      'leaves cents unspent rather than have a fourth one',
      { tick: '0.1', usd: 41.05, levels: [['0.8', '90']] },
      ['exact', 8_000, 41_040_000, 51_300_000, 10_000, null],
    ],
    [
      'sells shares whose proceeds are exactly price times shares',
      { side: 'SELL', tick: '0.001', usd: 6.2, levels: [['0.613', '100']] },
      ['exact', 6_130, 10_100_000, 6_191_300, 14_192, null],
    ],
    [
      'sells whole shares where the price has four decimals',
      {
        side: 'SELL',
        tick: '0.0001',
        usd: 9,
        levels: [
          ['0.61', '10'],
          ['0.6033', '100'],
        ],
      },
      ['exact', 6_033, 14_000_000, 8_446_200, 806_895, null],
    ],
    [
      'sells no fewer shares for the sake of a better price, at which fills are made anyway',
      {
        side: 'SELL',
        tick: '0.0001',
        usd: 1.0473,
        levels: [
          ['0.5263', '1.98'],
          ['0.525', '500'],
        ],
      },
      ['exact', 5_250, 1_980_000, 1_039_500, 9_954, null],
    ],
    [
      'sells where the better price has no such step at all',
      {
        side: 'SELL',
        tick: '0.0001',
        usd: 0.3622,
        levels: [
          ['0.5263', '0.687899'],
          ['0.5262', '5'],
        ],
      },
      ['exact', 5_262, 500_000, 263_100, 188_200, null],
    ],
    [
      'sells at a better price where what it gives ends there',
      {
        side: 'SELL',
        tick: '0.0001',
        usd: 6.4,
        levels: [
          ['0.61', '10'],
          ['0.6033', '100'],
        ],
      },
      ['exact', 6_100, 10_000_000, 6_100_000, 497_265, null],
    ],
  ];

  for (const [says, order, right] of rows) {
    it(says, () => expect(planned(order)).to.deep.equal(right));
  }

  const unplanned: readonly (readonly [reason: string, order: Case])[] = [
    ['unknown_tick', { tick: '0.02', usd: 5, levels: [['0.5', '50']] }],
    ['unknown_tick', { tick: null, usd: 5, levels: [['0.5', '50']] }],
    ['unknown_tick', { tick: 'x', usd: 5, levels: [['0.5', '50']] }],
    ['below_1_usd', { tick: '0.01', usd: 0.999999, levels: [['0.5', '50']] }],
    ['thin_book', { tick: '0.01', usd: 25.01, levels: [['0.5', '50']] }],
    ['thin_book', { tick: '0.01', usd: 25.01, levels: [] }],
    ['thin_book', { side: 'SELL', tick: '0.01', usd: 25.000001, levels: [['0.5', '50']] }],
    ['off_grid_level', { tick: '0.01', usd: 5, levels: [['0.505', '50']] }],
    [
      'off_grid_level',
      {
        tick: '0.01',
        usd: 5,
        levels: [
          ['0.495', '1'],
          ['0.5', '50'],
        ],
      },
    ],
    ['off_grid_level', { side: 'SELL', tick: '0.01', usd: 5, levels: [['0.495', '50']] }],
    ['below_one_step', { side: 'SELL', tick: '0.0001', usd: 0.3, levels: [['0.6033', '50']] }],
    ['below_one_step', { side: 'SELL', tick: '0.01', usd: 0.000001, levels: [['0.99', '50']] }],
  ];

  for (const [reason, order] of unplanned) {
    const { side = 'BUY', tick, usd, levels } = order;
    it(`there is none of a ${side} of ${usd} USD at ${JSON.stringify(levels)} in steps of ${tick}: ${reason}`, () => {
      expect(plan(order).planned).to.deep.equal({ kind: 'none', reason });
    });
  }

  it('looks at no level beyond those that it takes', () => {
    const levels = [
      ['0.5', '50'],
      ['0.505', '50'],
    ] as const;
    expect(plan({ tick: '0.01', usd: 25, levels }).planned.kind).to.equal('planned');
    expect(plan({ tick: '0.01', usd: 26, levels }).planned.kind).to.equal('none');
  });

  it('says where the order as asked ends, also where there is none', () => {
    const levels = [
      ['0.5', '50'],
      ['0.505', '50'],
    ] as const;
    expect(plan({ tick: '0.01', usd: 25, levels }).worstTicks).to.equal(5_000);
    expect(plan({ tick: '0.01', usd: 26, levels }).worstTicks).to.equal(5_050);
    expect(plan({ tick: null, usd: 26, levels }).worstTicks).to.equal(5_050);
    expect(plan({ tick: '0.01', usd: 5_000, levels }).worstTicks).to.equal(null);
    expect(plan({ side: 'SELL', tick: '0.01', usd: 5, levels }).worstTicks).to.equal(5_050);
  });

  it('walks a book of dust no more often than it has to', () => {
    // Each level holds less than the step of its price, so that every walk ends at a better one.
    const levels = Array.from(
      { length: 3_000 },
      (_, n) => [`0.${String(9_001 - 2 * n).padStart(4, '0')}`, '0.9'] as const,
    );
    let walked = 0;
    const bids = ladderOf('bids', levels);
    const counted = new Proxy(bids, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (name !== 'sizeAt') return typeof value === 'function' ? value.bind(target) : value;
        return (depth: number) => {
          if (depth === 0) walked++;
          return target.sizeAt(depth);
        };
      },
    });
    const book = { bids: counted, asks: new Ladder('asks') };
    const { planned: found } = planOrder({
      side: 'SELL',
      usdMicros: 600_000_000,
      book,
      tickSize: '0.0001',
      capCents: 1,
    });
    expect(found.kind).to.equal('planned');
    expect(walked).to.be.at.most(WALKS_MAX + 2);
  });
});
