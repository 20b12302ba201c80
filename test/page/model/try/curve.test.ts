import { expect } from 'chai';
import fc from 'fast-check';
import { parseTokenId } from '#domain/ids';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { USD_MAX } from '#domain/order/thresholds';
import { bandsOf, CURVE_POINTS, curveOf } from '#page/model/order/curve';
import { acrossOf, scaleOf, sizeTicks, slippageTicks, upOf } from '#page/model/order/curve-shape';
import { grouped } from '#page/model/order/grouped';
import { judge, type Scene } from '#page/model/order/judge';
import { LADDER_ROWS, ladderView } from '#page/model/order/ladder-rows';
import { lastPosition, positionOf, powersTo, SIZE_POSITIONS, usdAt } from '#page/model/order/size-scale';
import { Announcer } from '#page/model/try/announcer';
import { arbitraryQuestion } from '#test/support/arbitrary-books';

const sceneOf = ({ market, book, bookAgeMs }: OrderQuestion): Scene => ({
  shown: { slug: 's', question: 'q', minOrderShares: market.minOrderShares, matchingDelayS: 0 },
  outcome: { label: 'Yes', tokenId: parseTokenId('1')! },
  market,
  sides: book,
  bookAgeMs,
});

describe('The curve of slippage against size', () => {
  it('rises with the size, and never gets better beyond the safe size', () => {
    fc.assert(
      fc.property(arbitraryQuestion, (question) => {
        const { side, thresholds } = question;
        const scene = sceneOf(question);
        const points = curveOf({ side, thresholds }, scene, 0);
        expect(points).to.have.length(CURVE_POINTS);
        const safe = judge({ side, thresholds, usd: 1 }, scene, 0).body.numbers.safe_size_usd;
        for (const [index, { usd, slippageCents, verdict }] of points.entries()) {
          const before = points[index - 1];
          // The average price is rounded to a millionth, so that a last digit may go back.
          if (before !== undefined) expect(slippageCents).to.be.at.least(before.slippageCents - 0.0001);
          if (verdict === 'OK') expect(usd).to.be.at.most(safe);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is behind it in bands without a gap, one for each run of a verdict', () => {
    fc.assert(
      fc.property(arbitraryQuestion, (question) => {
        const points = curveOf(question, sceneOf(question), 0);
        const bands = bandsOf(points);
        expect(bands[0]!.fromUsd).to.equal(points[0]!.usd);
        expect(bands.at(-1)!.toUsd).to.equal(points.at(-1)!.usd);
        for (const [index, band] of bands.entries()) {
          const next = bands[index + 1];
          if (next === undefined) continue;
          expect(next.fromUsd).to.equal(band.toUsd);
          expect(next.verdict).to.not.equal(band.verdict);
        }
        const scale = scaleOf(points, question.thresholds);
        for (const { usd, slippageCents } of points) {
          expect(acrossOf(scale, usd)).to.be.within(0, 1);
          expect(upOf(scale, slippageCents)).to.be.within(0, 1);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('The axes of the curve', () => {
  const scale = { fromUsd: 0.5, toUsd: 12_000, topCents: 3.45 };

  it('have powers of ten below, and a few round slippages beside', () => {
    expect(sizeTicks(scale)).to.deep.equal([1, 10, 100, 1_000, 10_000]);
    expect(slippageTicks(scale)).to.deep.equal([0, 1, 2, 3]);
  });

  it('have at most five steps, whatever the slippage', () => {
    for (let topCents = 0.01; topCents < 400; topCents *= 1.07) {
      const ticks = slippageTicks({ ...scale, topCents });
      expect(ticks.length).to.be.within(3, 6);
      expect(ticks.at(-1)).to.be.at.most(topCents * 1.0001);
    }
  });
});

describe('The ladder', () => {
  it('has a row for each level and none without, and what the answer says is visible at its end', () => {
    fc.assert(
      fc.property(arbitraryQuestion, (question) => {
        const scene = sceneOf(question);
        const judged = judge(question, scene, 0);
        const view = ladderView(question.book, question.side, judged);
        const [walked] = question.side === 'BUY' ? [view.asks] : [view.bids];
        const { asks, bids } = question.book;
        expect(view.asks.rows).to.have.length(Math.min(asks.length, LADDER_ROWS));
        expect(view.bids.rows).to.have.length(Math.min(bids.length, LADDER_ROWS));
        const seen = walked.rows;
        const end = walked.rest?.cumulativeUsd ?? seen.at(-1)?.cumulativeUsd ?? '0.00';
        expect(Number(end.replaceAll(',', ''))).to.equal(judged.body.numbers.visible_depth_usd);
        const marks = [...seen, ...(walked.rest === null ? [] : [walked.rest])].flatMap((row) => row.marks);
        expect(new Set(marks).size, 'each mark once').to.equal(marks.length);
        if (seen.length > 0) expect(Number(seen[0]!.price)).to.equal(judged.body.numbers.best_price);
        expect(marks.includes('safe size')).to.equal(judged.body.numbers.safe_size_usd > 0);
      }),
      { numRuns: 100 },
    );
  });

  it('shows on the other side what getting out again would take, up to its worst level', () => {
    fc.assert(
      fc.property(arbitraryQuestion, (question) => {
        const judged = judge(question, sceneOf(question), 0);
        const view = ladderView(question.book, question.side, judged);
        const other = question.side === 'BUY' ? view.bids : view.asks;
        const marks = [...other.rows, ...(other.rest === null ? [] : [other.rest])].flatMap((row) => row.marks);
        expect(marks).to.deep.equal(judged.exit === null ? [] : ['exit']);
        const taken = other.rows.filter((row) => row.taken > 0);
        if (judged.exit === null) expect(taken).to.deep.equal([]);
        else expect(taken.length, 'levels of the exit').to.be.above(0);
      }),
      { numRuns: 100 },
    );
  });

  it('writes thousands apart and changes no digit', () => {
    expect(['1', '999', '1000', '1234567.891'].map(grouped)).to.deep.equal(['1', '999', '1,000', '1,234,567.891']);
  });
});

describe('The slider of the size', () => {
  it('goes from 1 USD to the largest size, and finds the place of what it gave', () => {
    expect([usdAt(0), usdAt(200), usdAt(SIZE_POSITIONS)]).to.deep.equal([1, 100, USD_MAX]);
    for (let position = 0; position <= SIZE_POSITIONS; position++) {
      expect(positionOf(usdAt(position))).to.equal(position);
      if (position > 0) expect(usdAt(position)).to.be.above(usdAt(position - 1));
    }
  });

  it('ends at the first place that uses the book up, and not before 10 USD', () => {
    for (const depthUsd of [12, 100, 1_234.56, 98_765.4, 5e6]) {
      const last = lastPosition(depthUsd);
      expect(usdAt(last)).to.be.at.least(depthUsd);
      expect(usdAt(last - 1)).to.be.below(depthUsd);
    }
    expect([0, 3, 9.9].map(lastPosition).map(usdAt)).to.deep.equal([10, 10, 10]);
    expect(lastPosition(null)).to.equal(SIZE_POSITIONS);
    expect(lastPosition(1e12)).to.equal(SIZE_POSITIONS);
  });

  it('has labels at the powers of ten before its end', () => {
    expect(powersTo(lastPosition(250))).to.deep.equal([
      { usd: 1, part: 0 },
      { usd: 10, part: 100 / 240 },
      { usd: 100, part: 200 / 240 },
    ]);
  });

  it('stays on its scale whatever is in the field', () => {
    expect([Number.NaN, -4, 0, 0.01, 1e12].map(positionOf)).to.deep.equal([0, 0, 0, 0, SIZE_POSITIONS]);
  });
});

describe('The announcement of a verdict', () => {
  it('is the newest one, once, and at most one in two seconds', () => {
    const announcer = new Announcer();
    const said = (text: string, atMs: number) => announcer.now(text, atMs);
    expect(said('OK', 0), 'what was read with the page').to.equal(null);
    expect(said('VETO', 1_000)).to.equal(null);
    expect(said('CAUTION', 1_999)).to.equal(null);
    expect(said('CAUTION', 2_000)).to.equal('CAUTION');
    expect(said('CAUTION', 9_000)).to.equal(null);
    expect(said('OK', 9_000)).to.equal('OK');
  });
});
