import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { needCaptures, readCapture } from '#test/support/captures';
import { tempFolder } from '#test/support/temp-folder';
import { FILL_COLUMNS, MARKET_COLUMNS, walletFills, writeTape } from './tape-csv.js';
import { makeWorld } from './world.js';

const SEED = 3;
const WALLETS = 25;

describe('generated tape export', () => {
  const world = makeWorld(SEED, 'open', 5);
  let folder: string;
  beforeEach(() => {
    folder = tempFolder('skill-tape');
  });
  async function write(name: string): Promise<{ fills: string; markets: string }> {
    const files = { fills: join(folder, `${name}-fills.csv.gz`), markets: join(folder, `${name}-markets.csv`) };
    await writeTape(world, SEED, WALLETS, files);
    return { fills: gunzipSync(readFileSync(files.fills)).toString(), markets: readFileSync(files.markets, 'utf8') };
  }

  it('has the columns of the tape exports that are shipped for tests', function () {
    needCaptures(this);
    expect(readCapture('tape/synthetic/fills.csv.gz').split('\n', 1)).to.deep.equal([FILL_COLUMNS]);
    expect(readCapture('tape/synthetic/markets.csv.gz').split('\n', 1)).to.deep.equal([MARKET_COLUMNS]);
  });

  it('tells every fill and every market, exactly', async () => {
    const { fills, markets } = await write('a');
    const [head, ...rows] = fills.trimEnd().split('\n');
    expect(head).to.equal(FILL_COLUMNS);
    const received = rows
      .map((row) => row.split(','))
      .map((cells) => [cells[0], cells[9], micros(cells[6]!), micros(cells[7]!)]);
    const made = Array.from({ length: WALLETS }, (_, wallet) => walletFills(world, SEED, wallet)).flat();
    const facts = made.map(({ wallet, tx, sizeMicros, priceMicros }) => [wallet, tx, sizeMicros, priceMicros]);
    expect(received.map(String).sort()).to.deep.equal(facts.map(String).sort());
    expect(markets.trimEnd().split('\n')).to.have.lengthOf(1 + world.marketCount);
    const isPlain = (cell: string) => /^\d+(\.\d{1,6})?$/.test(cell);
    expect(rows.every((row) => row.split(',').slice(6, 9).every(isPlain))).to.equal(true);
    const marketRows = markets.trimEnd().split('\n').slice(1);
    expect(marketRows.every((row) => row.split(',').slice(2).every(isPlain))).to.equal(true);
  });

  it('is the same, byte for byte, for the same seed', async () => {
    expect(await write('a')).to.deep.equal(await write('b'));
  });
});

const micros = (decimal: string): number => Math.round(Number(decimal) * 1e6);
