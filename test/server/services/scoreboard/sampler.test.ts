import { expect } from 'chai';
import { clusteredInterval, type GroupCount } from '#domain/scoreboard/intervals';
import { SCORE_EVENTS, type ScoreCell, type ScoreEvent } from '#domain/scoreboard/score-day';
import type { Horizon } from '#domain/scoreboard/score-key';
import { seededRandom } from '#local/venue/market/seeded-random';
import type { SamplerDeps } from '#services/scoreboard/sampler';
import { type Path, PlayedMarkets } from './support/played-market.js';

const HALF = 5_000;
const JUMP = 500;
/** Five cents up, two seconds after the orders were judged. */
const jumpAfter =
  (ms: number): Path =>
  (at) =>
    at >= ms ? HALF + JUMP : HALF;
const calm: Path = () => HALF;

const cellsOf = (markets: PlayedMarkets) => markets.days.takeChanged().flatMap(({ cells }) => cells);

function countOf(cells: readonly ScoreCell[], horizon: Horizon, event: ScoreEvent): readonly [n: number, hits: number] {
  const groups = cells.filter((cell) => cell.horizon === horizon).flatMap((cell) => groupsOf(cell, event));
  return [groups.reduce((sum, { n }) => sum + n, 0), groups.reduce((sum, { hits }) => sum + hits, 0)];
}

function groupsOf({ groups }: ScoreCell, event: ScoreEvent): readonly GroupCount[] {
  return [...groups.values()].map((counts) => ({ n: counts[0]!, hits: counts[1 + SCORE_EVENTS.indexOf(event)]! }));
}

/** Both sides and both sizes of one book, of which the two BUYs got five cents worse at two seconds. */
const EXPECTED = { 1: [4, 0], 3: [4, 2], 10: [4, 2], 60: [4, 2] } as const;

/** Returns what the scoreboard says of a market that jumps two seconds after its only draw. */
function playJump(plant?: (deps: SamplerDeps, markets: () => PlayedMarkets) => SamplerDeps) {
  const markets: PlayedMarkets = new PlayedMarkets(
    [jumpAfter(2_000)],
    plant === undefined ? {} : { plant: (deps) => plant(deps, () => markets) },
  );
  markets.sampler.begin();
  markets.play(61_000);
  const cells = cellsOf(markets);
  return Object.fromEntries((['1', '3', '10', '60'] as const).map((h) => [h, countOf(cells, h, 'worse3')]));
}

describe('a sampler of the scoreboard', () => {
  it('prices each order again at its horizons, by the book of that moment', () => {
    expect(playJump()).to.deep.equal(EXPECTED);
  });

  it('counts the delay of a market together with the horizon that it coincides with', () => {
    const markets = new PlayedMarkets([jumpAfter(2_000)], { facts: { matchingDelayS: 3 } });
    markets.sampler.begin();
    markets.play(11_000);
    const cells = cellsOf(markets);
    expect(countOf(cells, 'delay', 'worse3')).to.deep.equal(countOf(cells, '3', 'worse3'));
    expect(countOf(cells, 'delay', 'worse3')).to.deep.equal([4, 2]);
  });

  it('leaves out, and says so, what it comes to too late', () => {
    const markets = new PlayedMarkets([calm]);
    markets.sampler.begin();
    while (markets.sampler.step());
    markets.clock.advance(1_101);
    while (markets.sampler.step());
    const [day] = markets.days.takeChanged();
    expect([day!.missed, countOf(day!.cells, '1', 'worse1')]).to.deep.equal([4, [0, 0]]);
    markets.play(2_000);
    expect(countOf(cellsOf(markets), '3', 'worse1')).to.deep.equal([4, 0]);
  });

  it('counts books that the venue has removed as gone, and as orders that are not filled', () => {
    const markets = new PlayedMarkets([calm]);
    markets.sampler.begin();
    markets.play(1_500);
    markets.unlist();
    markets.play(2_000);
    const cells = cellsOf(markets);
    expect(countOf(cells, '1', 'gone')).to.deep.equal([4, 0]);
    for (const event of ['gone', 'veto', 'worse10'] as const) expect(countOf(cells, '3', event)).to.deep.equal([4, 4]);
  });

  it('draws twenty books at most, and the same ones from the same books at the same time', () => {
    const drawn = () => {
      const markets = new PlayedMarkets(Array.from({ length: 50 }, () => calm));
      markets.sampler.begin();
      markets.play(1_200);
      return cellsOf(markets);
    };
    const cells = drawn();
    expect(countOf(cells, '1', 'worse1')).to.deep.equal([80, 0]);
    expect(cells).to.deep.equal(drawn());
  });

  it('draws fewer books for as long as a pass takes more than two milliseconds', () => {
    let lookMs = 0.5;
    const markets = new PlayedMarkets(
      Array.from({ length: 50 }, () => calm),
      {
        plant: (deps) => ({
          ...deps,
          books: {
            ...deps.books,
            peek(tokenId) {
              markets.clock.advance(lookMs);
              return deps.books.peek(tokenId);
            },
          },
        }),
      },
    );
    const judgedIn = () => {
      const before = countOf(markets.days.of('2026-11-27').toDay().cells, '1', 'worse1')[0];
      markets.sampler.begin();
      markets.play(1_200);
      return (countOf(markets.days.of('2026-11-27').toDay().cells, '1', 'worse1')[0] - before) / 4;
    };
    // Twenty books at half a millisecond each, and again after a second.
    expect([judgedIn(), judgedIn()]).to.deep.equal([20, 2]);
    lookMs = 0;
    markets.play(70_000);
    expect([judgedIn(), judgedIn()]).to.deep.equal([3, 4]);
  });

  it('forgets what it drew when the process is late', () => {
    const markets = new PlayedMarkets([calm]);
    markets.sampler.begin();
    markets.sampler.skip();
    expect(markets.sampler.step()).to.equal(false);
    expect(markets.days.takeChanged()[0]).to.include({ passes: 1, skipped: 1 });
  });
});

describe('a sampler that peeks at the future', () => {
  // Each of them makes the same play come out otherwise: the test above would be red.
  it('is found where it prices again by a book of later', () => {
    const peeking = playJump((deps, markets) => ({
      ...deps,
      books: { ...deps.books, peek: (tokenId) => markets().look(tokenId, 1_500) },
    }));
    expect(peeking).to.not.deep.equal(EXPECTED);
  });

  it('is found where it takes late for in time', () => {
    // Its clock stands still for four seconds at a time, so that nothing ever is late.
    const peeking = playJump((deps) => {
      const { clock } = deps;
      const coarse = { nowMs: () => clock.nowMs(), elapsedMs: () => Math.floor(clock.elapsedMs() / 4_000) * 4_000 };
      return { ...deps, clock: coarse };
    });
    expect(peeking).to.not.deep.equal(EXPECTED);
  });

  it('is found where the verdict is looked up only when it is priced again', () => {
    // The book that it judges by is the one that it will see then.
    const peeking = playJump((deps, markets) => {
      let looks = 0;
      const peek: SamplerDeps['books']['peek'] = (tokenId) => markets().look(tokenId, looks++ === 0 ? 3_000 : 0);
      return { ...deps, books: { ...deps.books, peek } };
    });
    expect(peeking).to.not.deep.equal(EXPECTED);
  });
});

describe('jumps that were planted', () => {
  const RUNS = 100;
  const MARKETS = 10;
  const PASS_MS = 5_000;
  const PLAY_MS = 150_000;
  /** Flips a second. */
  const RATE = 0.05;

  /** A price that is in one of two states and flips by chance, as likely in one as in the other. */
  function flipping(seed: number): Path {
    const { next } = seededRandom(seed);
    const flips: number[] = [];
    for (let at = 0; at < PLAY_MS + 61_000; ) {
      at += (-Math.log(1 - next()) / RATE) * 1e3;
      flips.push(at);
    }
    const isHighFirst = next() < 0.5;
    return (ms) => {
      const flipped = flips.findIndex((at) => at > ms) % 2 === 1;
      return flipped === isHighFirst ? HALF : HALF + JUMP;
    };
  }

  it("are covered by the scoreboard's interval in 95 of 100 runs", function () {
    this.timeout(300_000);
    const covered = { 1: 0, 3: 0, 10: 0 };
    for (let run = 0; run < RUNS; run++) {
      const markets = new PlayedMarkets(Array.from({ length: MARKETS }, (_, at) => flipping(run * 1_000 + at)));
      markets.play(PLAY_MS, PASS_MS);
      const cells = cellsOf(markets).filter(({ usd }) => usd === 1_000);
      for (const horizon of ['1', '3', '10'] as const) {
        const groups = cells.filter((cell) => cell.horizon === horizon).flatMap((cell) => groupsOf(cell, 'worse3'));
        const { low, high } = clusteredInterval(groups) ?? { low: 0, high: 1 };
        // A BUY of the low state that is high then, or the other way round for a SELL.
        const truth = 0.25 * (1 - Math.exp(-2 * RATE * Number(horizon)));
        if (low <= truth && truth <= high) covered[horizon]++;
      }
    }
    console.log(`      covered of ${RUNS}: ${JSON.stringify(covered)}`);
    for (const count of Object.values(covered)) expect(count).to.be.at.least(95);
  });
});
