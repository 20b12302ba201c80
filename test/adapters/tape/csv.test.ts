import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { refusal, withTape } from '../support/tape-checks.js';

const FILLS_HEAD = 'wallet,token,condition,event,outcome_index,side,size,price,timestamp,tx';
const MARKETS_HEAD = 'condition,category,fee_rate,scheduled_end,resolved_at,payout_0,payout_1';
const FILL = 'W,t,c,e,0,BUY,11.04,0.93,1772361794,x1';
const MARKET = 'c,sports,0.03,1780906134,1780914775,1,0';

describe('tape import', () => {
  const withFiles = (
    fills: string | Uint8Array,
    markets: string,
    work: (files: { fills: string; markets: string }) => Promise<void>,
  ) =>
    withTape(async (_, dir) => {
      const files = {
        fills: join(dir, typeof fills === 'string' ? 'fills.csv' : 'fills.csv.gz'),
        markets: join(dir, 'markets.csv'),
      };
      await writeFile(files.fills, fills);
      await writeFile(files.markets, markets);
      await work(files);
    });

  it('reads every number exactly, in any order of columns, and the same file twice once', async () => {
    const rows = [
      'tx,timestamp,price,size,side,outcome_index,event,condition,token,wallet',
      'x1,1772361794,0.07,9007.199254,BUY,0,"a,b",c,t,0xAbC',
      ',1772361795,0.0000005,1.0000004999,SELL,1,,c,t,0xabc',
      ',1772361796,1,1000000000,BUY,1,,c,t,0xabc',
    ];
    const markets = [MARKETS_HEAD, MARKET, 'd,other,0.05,,,,', 'e,other,0,1,2,0.5,0.5'].join('\n');
    await withFiles(gzipSync(rows.join('\n')), markets, (files) =>
      withTape(async (tape) => {
        await tape.importCsv(files);
        await tape.importCsv(files);
        expect((await tape.status()).fills).to.equal(3);
        const base = { wallet: '0xabc', token: 't', condition: 'c', logIndex: null };
        expect(await tape.fillsOf('0xabc')).to.deep.equal([
          {
            ...base,
            event: 'a,b',
            outcomeIndex: 0,
            side: 'BUY',
            sizeMicros: 9_007_199_254,
            priceMicros: 70_000,
            timeS: 1_772_361_794,
            tx: 'x1',
          },
          {
            ...base,
            event: '',
            outcomeIndex: 1,
            side: 'SELL',
            sizeMicros: 1_000_000,
            priceMicros: 1,
            timeS: 1_772_361_795,
            tx: '',
          },
          {
            ...base,
            event: '',
            outcomeIndex: 1,
            side: 'BUY',
            sizeMicros: 1e15,
            priceMicros: 1_000_000,
            timeS: 1_772_361_796,
            tx: '',
          },
        ]);
        const known = await tape.marketsOf(['c', 'd', 'e']);
        const payouts = ['c', 'd', 'e'].map((condition) => known.get(condition)?.payoutMicros);
        expect(payouts).to.deep.equal([[1_000_000, 0], null, [500_000, 500_000]]);
        expect(known.get('d')).to.include({
          scheduledEndS: null,
          resolvedAtS: null,
          feeRateMicros: 50_000,
          upDown: false,
        });
      }),
    );
  });

  const fillsWith = (row: string) => `${FILLS_HEAD}\n${FILL}\n${row}\n${FILL}`;
  const marketsWith = (row: string) => `${MARKETS_HEAD}\n${MARKET}\n${row}`;
  const BAD: readonly (readonly [what: string, fills: string, markets: string, says: RegExp])[] = [
    [
      'a missing column',
      'wallet,token\na,b',
      '',
      /fills.csv: column "condition" is missing, .*; the columns are wallet,token,/,
    ],
    ['an unknown column', `${FILLS_HEAD},fee\n${FILL},1`, '', /fills.csv: column "fee" is unknown or duplicated/],
    ['a doubled column', `${FILLS_HEAD},tx\n${FILL},1`, '', /fills.csv: column "tx" is unknown or duplicated/],
    ['an empty file', '', '', /fills.csv: the file is empty; its first row must name the columns/],
    ['a row cut short', fillsWith('W,t,c'), '', /fills.csv: row 3: Expected Number of Columns: 10 Found: 3; correct/],
    [
      'a row too long',
      fillsWith(`${FILL},9`),
      '',
      /fills.csv: row 3: Expected Number of Columns: 10 Found: 11; correct/,
    ],
    [
      'a quote without its end',
      fillsWith('W,"t'),
      '',
      /fills.csv: row 3: Value with unterminated quote found.; correct/,
    ],
    [
      'no wallet',
      fillsWith(FILL.replace('W', '')),
      '',
      /fills.csv: row 3, column "wallet": must not be empty, and is ""/,
    ],
    [
      'a third outcome',
      fillsWith(FILL.replace(',0,BUY', ',2,BUY')),
      '',
      /row 3, column "outcome_index": must be 0 or 1, and is "2"/,
    ],
    [
      'a side in small letters',
      fillsWith(FILL.replace('BUY', 'buy')),
      '',
      /row 3, column "side": must be BUY or SELL, and is "buy"/,
    ],
    ['a size of nothing', fillsWith(FILL.replace('11.04', '0')), '', /row 3, column "size": .*above 0, and is "0"/],
    ['a size below a micro-share', fillsWith(FILL.replace('11.04', '0.0000004')), '', /row 3, column "size"/],
    ['a size beyond counting', fillsWith(FILL.replace('11.04', '9000000001')), '', /row 3, column "size"/],
    [
      'a size with an exponent',
      fillsWith(FILL.replace('11.04', '1e3')),
      '',
      /row 3, column "size": must be a plain decimal/,
    ],
    [
      'a price above one',
      fillsWith(FILL.replace('0.93', '1.000001')),
      '',
      /row 3, column "price": .*from 0 to 1, and is "1.000001"/,
    ],
    ['a negative price', fillsWith(FILL.replace('0.93', '-0.1')), '', /row 3, column "price"/],
    [
      'a date for seconds',
      fillsWith(FILL.replace('1772361794', '2026-03-01')),
      '',
      /row 3, column "timestamp": must be whole seconds/,
    ],
    ['a fee in percent', '', marketsWith('c,sports,3,,,,'), /markets.csv: row 3, column "fee_rate"/],
    ['one payout of two', '', marketsWith('c,sports,0.03,,,1,'), /markets.csv: row 3, column "payout_1"/],
    ['a payout without the first', '', marketsWith('c,sports,0.03,,,,1'), /markets.csv: row 3, column "payout_1"/],
    [
      'an end that is no time',
      '',
      marketsWith('c,sports,0.03,soon,,,'),
      /row 3, column "scheduled_end": .*, or empty, and is "soon"/,
    ],
  ];
  for (const [what, fills, markets, says] of BAD) {
    it(`refuses ${what}, and imports nothing`, async () => {
      const good = { fills: `${FILLS_HEAD}\n${FILL}\n`, markets: `${MARKETS_HEAD}\n${MARKET}\n` };
      const own = says.source.startsWith('markets') || markets !== '' ? { ...good, markets } : { ...good, fills };
      await withFiles(own.fills, own.markets, (files) =>
        withTape(async (tape) => {
          const { message } = await refusal(tape.importCsv(files));
          expect(message).to.match(says);
          expect(await tape.status()).to.include({ fills: 0, markets: 0 });
        }),
      );
    });
  }

  it('refuses a file that is not there', async () => {
    await withTape(async (tape, dir) => {
      const files = { fills: join(dir, 'no.csv'), markets: join(dir, 'no.csv') };
      expect((await refusal(tape.importCsv(files))).message).to.contain('no.csv');
    });
  });
});
