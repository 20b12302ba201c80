import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { outsideErrorOf } from '#test/support/promises';
import { withTape } from '../support/tape-checks.js';

const FILLS_HEAD = 'wallet,token,condition,event,outcome_index,side,size,price,timestamp,tx';
const MARKETS_HEAD = 'condition,category,fee_rate,scheduled_end,resolved_at,payout_0,payout_1';
const FILL = 'W,t,c,e,0,BUY,11.04,0.93,1772361794,x1';
const MARKET = 'c,sports,0.03,1780906134,1780914775,1,0';
/** Of 2026-07-01. */
const NOW_S = 1_782_864_000;

describe('tape import', () => {
  const withFiles = (
    fills: string | Uint8Array,
    markets: string,
    work: (files: { fills: string; markets: string; nowS: number }) => Promise<void>,
  ) =>
    withTape(async (_, dir) => {
      const files = {
        nowS: NOW_S,
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
    const markets = [MARKETS_HEAD, MARKET, 'd,other,0.05,,,,', 'e,other,0,1772361794,1772361795,0.5,0.5'].join('\n');
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
        const existing = await tape.marketsOf(['c', 'd', 'e']);
        const payouts = ['c', 'd', 'e'].map((condition) => existing.get(condition)?.payoutMicros);
        expect(payouts).to.deep.equal([[1_000_000, 0], null, [500_000, 500_000]]);
        expect(existing.get('d')).to.include({
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
    [
      'a time of 1970',
      fillsWith(FILL.replace('1772361794', '17')),
      '',
      /row 3, column "timestamp": must be whole seconds since the epoch, from 2020 to tomorrow, and is "17"/,
    ],
    [
      'a time after tomorrow',
      fillsWith(FILL.replace('1772361794', String(NOW_S + 86_401))),
      '',
      /row 3, column "timestamp": .*tomorrow, and is "1782950401"/,
    ],
    ['milliseconds', fillsWith(FILL.replace('1772361794', '1772361794000')), '', /row 3, column "timestamp"/],
    ['a resolution of 1970', '', marketsWith('c,sports,0.03,,17,1,0'), /row 3, column "resolved_at": .*from 2020/],
    ['an end of 1970', '', marketsWith('c,sports,0.03,17,,,'), /row 3, column "scheduled_end"/],
    [
      'payouts of two dollars',
      '',
      marketsWith('c,sports,0.03,,,1,1'),
      /row 3, column "payout_1": must be what payout_0 leaves of 1, .*and is "1"/,
    ],
    ['payouts of nothing', '', marketsWith('c,sports,0.03,,,0,0'), /row 3, column "payout_1"/],
    [
      'two kinds of line ends',
      `${FILLS_HEAD}\n${FILL}\r\n${FILL}\n`,
      '',
      /fills.csv: row 2: it ends another way than row 1 \(LF and CR LF\); a file has one kind of line ends/,
    ],
    [
      'a line break in a text',
      fillsWith(FILL.replace(',e,', ',"e\ne",')),
      '',
      /row 3, column "event": must not hold a line break \(a file has one kind of line ends\), and is "e\\ne"/,
    ],
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
          const { message } = await outsideErrorOf(tape.importCsv(files));
          expect(message).to.match(says);
          expect(await tape.status()).to.include({ fills: 0, markets: 0 });
        }),
      );
    });
  }

  it('says of a file in UTF-16 how to save it, and takes one in UTF-8 that begins with a mark', async () => {
    const text = `${FILLS_HEAD}\n${FILL}\n`;
    const marked = (order: 'LE' | 'BE') => {
      const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
      return order === 'LE' ? bytes : bytes.swap16();
    };
    const markets = `${MARKETS_HEAD}\n${MARKET}\n`;
    await withTape(async (tape, dir) => {
      const files = { nowS: NOW_S, fills: join(dir, 'fills.csv'), markets: join(dir, 'markets.csv') };
      await writeFile(files.markets, markets);
      for (const bytes of [marked('LE'), marked('BE')]) {
        await writeFile(files.fills, bytes);
        const { message } = await outsideErrorOf(tape.importCsv(files));
        expect(message).to.match(/fills\.csv: it is UTF-16 text; save it as UTF-8/);
      }
      const packed = { ...files, fills: join(dir, 'fills.csv.gz') };
      await writeFile(packed.fills, gzipSync(marked('LE')));
      expect((await outsideErrorOf(tape.importCsv(packed))).message).to.include('it is UTF-16 text');
      await writeFile(files.fills, `\ufeff${text}`);
      expect(await tape.importCsv(files)).to.include({ fills: 1 });
    });
  });

  const fillAt = (timeS: number, size = '11') => `W,t,c,e,0,BUY,${size},0.93,${timeS},x${timeS}`;
  const fillsFile = (...rows: readonly string[]) => [FILLS_HEAD, ...rows].join('\n');

  it('takes two files of one name for two imports, and the same file again for one', async () => {
    await withTape(async (tape, dir) => {
      await writeFile(join(dir, 'markets.csv'), `${MARKETS_HEAD}\n${MARKET}`);
      const files = { fills: join(dir, 'fills.csv'), markets: join(dir, 'markets.csv'), nowS: NOW_S };
      const importOf = async (rows: string, more: object = {}) => {
        await writeFile(files.fills, rows);
        return tape.importCsv({ ...files, ...more });
      };
      const first = fillsFile(fillAt(1_772_361_794), fillAt(1_772_361_795));
      const times = { firstFillS: 1_772_361_794, lastFillS: 1_772_361_795 };
      const counts = { fills: 2, isRepeated: false, fillsReplaced: 0, marketsReplaced: 0, markets: 1, ...times };
      expect(await importOf(first, { isDry: true })).to.deep.equal({ ...counts, marketsKnown: 0 });
      expect((await tape.status()).fills, 'a dry run').to.equal(0);
      expect(await importOf(first)).to.deep.equal({ ...counts, marketsKnown: 0 });
      expect(await importOf(fillsFile(fillAt(1_772_361_796)))).to.deep.include({ fills: 1, isRepeated: false });
      expect((await tape.status()).fills).to.equal(3);
      expect(await importOf(first)).to.deep.include({ isRepeated: true, marketsKnown: 1 });
      expect((await tape.status()).fills).to.equal(3);
      const corrected = fillsFile(fillAt(1_772_361_797));
      expect(await importOf(corrected, { replace: 'fills.csv' })).to.deep.include({ fills: 1, fillsReplaced: 3 });
      expect((await tape.fillsOf('w')).map(({ timeS }) => timeS)).to.deep.equal([1_772_361_797]);
      const unknown = await outsideErrorOf(importOf(corrected, { replace: 'other.csv' }));
      expect(unknown.message).to.include('there is no import "other.csv" to replace');
    });
  });

  it('lets a later import of a market stand over an earlier one, also after a compaction', async () => {
    await withTape(async (tape, dir) => {
      await writeFile(join(dir, 'fills.csv'), FILLS_HEAD);
      const files = { fills: join(dir, 'fills.csv'), markets: join(dir, 'markets.csv'), nowS: NOW_S };
      const importOf = async (row: string) => {
        await writeFile(files.markets, `${MARKETS_HEAD},slug,is_updown\n${row}`);
        await tape.importCsv(files);
        return (await tape.marketsOf(['c'])).get('c')!;
      };
      const wrong = await importOf(`${MARKET},bitcoin-up-or-down-on-july-3,`);
      expect(wrong).to.deep.include({ payoutMicros: [1_000_000, 0], upDown: true });
      await tape.compact(NOW_S);
      const right = await importOf('c,politics,0.04,1780906135,,,,some-market,');
      expect(right).to.deep.include({ payoutMicros: null, resolvedAtS: null, scheduledEndS: 1_780_906_135 });
      expect(right).to.deep.include({ category: 'politics', slug: 'some-market', upDown: false });
      expect((await importOf('c,politics,0.04,,,,,some-market,true')).upDown).to.equal(true);
    });
  });

  it('takes the names and the places of fills in the logs where a file has them', async () => {
    const rows = [`${FILLS_HEAD},log_index,name`, `${FILL},7,"Some body"`, `${FILL},8,`].join('\n');
    await withFiles(rows, `${MARKETS_HEAD}\n${MARKET}`, (files) =>
      withTape(async (tape) => {
        await tape.importCsv(files);
        expect((await tape.fillsOf('w')).map(({ logIndex }) => logIndex)).to.deep.equal([7, 8]);
        expect(await tape.namesOf(['w'])).to.deep.equal(new Map([['w', 'Some body']]));
      }),
    );
  });

  it('takes hexadecimal ids in any case for the same ones, as the venue writes them', async () => {
    const [condition, tx] = [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`];
    const upper = (id: string) => `0X${id.slice(2).toUpperCase()}`;
    const fill = (c: string, t: string) => `0xAb,7,${c},e,0,BUY,20,0.48,1772361794,${t}`;
    const rows = [FILLS_HEAD, fill(condition, tx), fill(upper(condition), upper(tx)), fill('0xAbC', 'Own-Name')];
    const markets = [
      MARKETS_HEAD,
      `${upper(condition)},sports,0.03,1772361795,1772361796,1,0`,
      MARKET.replace('c', 'C'),
    ];
    await withFiles(rows.join('\n'), markets.join('\n'), (files) =>
      withTape(async (tape) => {
        await tape.importCsv(files);
        expect((await tape.importCsv(files)).marketsKnown).to.equal(2);
        const ids = (await tape.fillsOf('0xab')).map((one) => [one.condition, one.tx]);
        expect(ids).to.deep.include.members([
          [condition, tx],
          ['0xabc', 'Own-Name'],
        ]);
        expect(new Set(ids.map(String)).size).to.equal(2);
        expect([...(await tape.marketsOf([condition, 'C'])).keys()].toSorted()).to.deep.equal(
          [condition, 'C'].toSorted(),
        );
        expect(await tape.unknownConditions(10)).to.deep.equal(['0xabc']);
      }),
    );
  });

  it('refuses a file that is not there', async () => {
    await withTape(async (tape, dir) => {
      const files = { fills: join(dir, 'no.csv'), markets: join(dir, 'no.csv'), nowS: NOW_S };
      expect((await outsideErrorOf(tape.importCsv(files))).message).to.contain('no.csv');
    });
  });
});
