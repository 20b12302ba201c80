import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LEADERBOARD_EXAMPLE, RED_LIST_EXAMPLE } from '#api/sandbox/sandbox-lists';
import { NO_COVERAGE_EXAMPLE, QUEUED_EXAMPLE, WALLET_PROFILE_EXAMPLE } from '#api/sandbox/sandbox-profile';
import { MEASURED_ERRORS } from '#api/wallets/measured-errors';
import { readWallet } from '#domain/inputs/wallet-text';
import { listAnswer, walletAnswer } from '#page/model/wallet/answer-kind';
import { BoughtRatings } from '#page/model/wallet/bought-ratings';
import { equityOf, equityScale } from '#page/model/wallet/equity';
import { intervalBar, scaleOf } from '#page/model/wallet/interval-bar';
import { isExample } from '#page/model/wallet/read-address';
import { sampleText } from '#page/model/wallet/sample-text';
import { ROOT } from '#test/support/source-tree';

const ADDRESS = `0x${'aB'.repeat(20)}`;
const LOWER = ADDRESS.toLowerCase();

describe('the error rates that pages show', () => {
  it('are those of docs/ratings.md', () => {
    const text = readFileSync(join(ROOT, 'docs/ratings.md'), 'utf8');
    const [row = ''] = /^\| \*\*this rating\*\* \| \*\*63.*$/m.exec(text) ?? [];
    const received = [...row.matchAll(/[+-]?\d+(?:\.\d+)?/g)].map(Number);
    const { worlds, walletsPerWorld, ...rates } = MEASURED_ERRORS;
    expect(received).to.deep.equal(Object.values(rates));
    expect(text).to.match(/^Five generated worlds of 100,000 wallets/m);
    expect([worlds, walletsPerWorld]).to.deep.equal([5, 100_000]);
  });
});

describe("the copier's profit", () => {
  it('adds the months up, in stakes, and ends with what the whole window made', () => {
    const points = equityOf(WALLET_PROFILE_EXAMPLE)!;
    expect(points.map(({ profit }) => Number(profit.toFixed(2)))).to.deep.equal([11.6, 13.8, 6.6]);
    expect(points.at(-1)!.total).to.be.closeTo(32, 0.01);
    expect(points.map(({ isOutOfSample }) => isOutOfSample)).to.deep.equal([false, false, true]);
  });

  it('has zero on its scale, whichever way it goes', () => {
    const scale = (...totals: readonly number[]) =>
      equityScale(totals.map((total) => ({ name: '', entries: 1, profit: 0, isOutOfSample: false, total })));
    expect(scale(5, 10).low).to.equal(0);
    expect(scale(-5, -10).high).to.equal(0);
    const { low, high } = scale(-4, 6);
    expect([low, high]).to.deep.equal([-5.5, 7.5]);
  });

  it('is not drawn where no month has an entry', () => {
    const none = { ...WALLET_PROFILE_EXAMPLE.older, entries: 0, roi_fee_inclusive_pct: null };
    expect(equityOf({ older: none, in_sample: none, out_of_sample: none })).to.equal(null);
  });
});

describe('a wallet as people give it', () => {
  for (const given of [
    ADDRESS,
    `  ${LOWER}\n`,
    `https://polymarket.com/profile/${ADDRESS}?tab=x`,
    `${ADDRESS} ${LOWER}`,
  ]) {
    it(`is an address in ${given.trim().slice(0, 60)}`, () => {
      expect(readWallet(given)).to.deep.equal({ kind: 'address', address: LOWER });
    });
  }

  it('is none when nothing was given', () => {
    expect([readWallet(''), readWallet('  ')]).to.deep.equal([{ kind: 'none' }, { kind: 'none' }]);
  });

  it('is free when it is one of the documented examples', () => {
    const last = (digit: number) => `0x${'0'.repeat(39)}${digit}`;
    expect([0, 1, 5, 6].map((digit) => isExample(last(digit)))).to.deep.equal([false, true, true, false]);
    expect(isExample(LOWER)).to.equal(false);
  });

  const BAD: readonly (readonly [given: string, problem: RegExp])[] = [
    [LOWER.slice(0, -1), /has 39 digits after 0x/],
    [`${LOWER}0`, /has 41 digits/],
    [`0x${'ab'.repeat(32)}`, /hash of a transaction/],
    [LOWER.slice(2), /lacks the 0x/],
    ['vitalik.eth', /Names are not looked up/],
    ['@some-user', /user names are not accepted/],
    [`${ADDRESS} 0x${'cd'.repeat(20)}`, /two addresses/],
    [`<img src=x onerror=alert(1)>`, /is no address/],
    ['x'.repeat(10_000), /far longer/],
    [`${LOWER}zz`, /is no address/],
  ];
  for (const [given, problem] of BAD) {
    it(`is refused with what to do: ${given.slice(0, 50)}`, () => {
      const found = readWallet(given);
      if (found.kind !== 'bad') return expect.fail(found.kind);
      expect(found.problem)
        .to.match(problem)
        .and.match(/address bar/);
      return undefined;
    });
  }
});

describe('an answer about wallets', () => {
  it('is drawn by its kind', () => {
    const kinds = [WALLET_PROFILE_EXAMPLE, QUEUED_EXAMPLE, NO_COVERAGE_EXAMPLE].map((body) => walletAnswer(body).kind);
    expect(kinds).to.deep.equal(['profile', 'queued', 'no_coverage']);
    expect(listAnswer(LEADERBOARD_EXAMPLE)).to.equal(LEADERBOARD_EXAMPLE);
    expect(listAnswer(RED_LIST_EXAMPLE)).to.equal(RED_LIST_EXAMPLE);
  });

  it('is not drawn in part when a part of it is missing', () => {
    for (const name of [
      'reasons',
      'older',
      'in_sample',
      'window',
      'entry_price_buckets',
      'category_mix_pct',
      'wallet',
    ]) {
      expect(walletAnswer({ ...WALLET_PROFILE_EXAMPLE, [name]: undefined }).kind, name).to.equal('unreadable');
    }
    for (const body of [null, [], 'x', {}, { wallets: [{}] }]) {
      expect(walletAnswer(body).kind).to.equal('unreadable');
      expect(listAnswer(body)).to.equal(null);
    }
  });
});

describe('an interval that is drawn', () => {
  it('has zero in the middle, and the same scale as those beside it', () => {
    const scale = scaleOf([{ low: -12.7, high: 50.8 }, null], [27]);
    expect(scale).to.equal(100);
    expect(intervalBar({ low: -50, high: 25 }, 0, scale)).to.deep.equal({ from: 25, to: 62.5, at: 50, isCut: false });
  });

  it('is cut off where it is wider than what is drawn, and says so', () => {
    const scale = scaleOf([{ low: -900, high: 1200 }]);
    expect(intervalBar({ low: -900, high: 1200 }, 10, scale)).to.include({ from: 0, to: 100, isCut: true });
  });

  it('is not drawn when there is none', () => {
    expect(intervalBar(null, 5, scaleOf([null]))).to.equal(null);
    expect(intervalBar({ low: Number.NaN, high: 1 }, 5, 10)).to.equal(null);
  });
});

describe('the honesty of a sample', () => {
  it('says how many entries are missing', () => {
    expect(sampleText({ sample: 'thin', entries_needed: 68 })).to.match(/^thin: fewer than 35.*68 more entries would/);
    expect(sampleText({ sample: 'fair', entries_needed: null })).to.match(/^fair: 35 to 99/);
    expect(sampleText({ sample: 'solid', entries_needed: 0 })).to.match(
      /^solid: 100 entries or more.*No more are needed/,
    );
  });
});

describe('the ratings that were bought on a page', () => {
  const UNTIL_MS = Date.parse(WALLET_PROFILE_EXAMPLE.next_refresh_at);
  const rated = (wallet: string) => walletAnswer({ ...WALLET_PROFILE_EXAMPLE, wallet });

  it('are there as long as they are valid, and what is free is not kept', () => {
    const ratings = new BoughtRatings();
    ratings.keep(rated(ADDRESS));
    ratings.keep(walletAnswer(QUEUED_EXAMPLE));
    expect(ratings.find(LOWER, UNTIL_MS - 1)).to.deep.equal(rated(ADDRESS));
    expect(ratings.find(LOWER, UNTIL_MS)).to.equal(null);
    expect(ratings.find(QUEUED_EXAMPLE.wallet, 0)).to.equal(null);
  });

  it('are bounded: the oldest goes', () => {
    const ratings = new BoughtRatings();
    const address = (n: number) => `0x${String(n).padStart(40, '0')}`;
    for (let n = 0; n <= 100; n++) ratings.keep(rated(address(n)));
    expect([ratings.find(address(0), 0), ratings.find(address(1), 0)?.kind]).to.deep.equal([null, 'profile']);
  });
});
