import { expect } from 'chai';
import fc from 'fast-check';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import { seenWindow, seesWholeWindow, touchingGap } from '#domain/rating/seen-window';

const DAY_S = 86_400;
const AS_OF_S = 1_785_542_400;
const WINDOWS = ratingWindows(AS_OF_S, RATING_CONFIG);
const FROM_S = WINDOWS.fromS;
const gap = (fromS: number, toS: number) => ({ fromS, toS });

describe('what a tape shows of a window', () => {
  it('begins with its oldest fill, and is whole where that is before the window', () => {
    expect(seenWindow(FROM_S - 5, [], WINDOWS)).to.deep.equal({ startS: FROM_S - 5, gaps: [] });
    expect(seesWholeWindow(FROM_S, FROM_S)).to.equal(true);
    expect(seesWholeWindow(FROM_S + 1, FROM_S)).to.equal(false);
    expect(seesWholeWindow(null, FROM_S)).to.equal(false);
  });

  it('begins after what is missing at its begin, and keeps what is missing later as a gap', () => {
    const [first, later] = [gap(FROM_S - 100, FROM_S + 10), gap(FROM_S + DAY_S, FROM_S + DAY_S + 60)];
    expect(seenWindow(FROM_S - 200, [later, first], WINDOWS)).to.deep.equal({ startS: FROM_S + 11, gaps: [later] });
    expect(seenWindow(FROM_S + 2 * DAY_S, [later], WINDOWS)).to.deep.equal({ startS: FROM_S + 2 * DAY_S, gaps: [] });
    expect(seenWindow(FROM_S - 1, [gap(FROM_S, AS_OF_S + 5)], WINDOWS)).to.deep.equal({ startS: AS_OF_S, gaps: [] });
  });

  it('never claims a second that is missing', () => {
    const second = fc.integer({ min: FROM_S - DAY_S, max: AS_OF_S });
    const gaps = fc.array(
      fc.tuple(second, fc.nat(20 * DAY_S)).map(([fromS, length]) => gap(fromS, fromS + length)),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(second, gaps, second, (firstFillS, missing, timeS) => {
        const seen = seenWindow(firstFillS, missing, WINDOWS);
        const isMissing = missing.some(({ fromS, toS }) => fromS <= timeS && timeS <= toS);
        const isInWindow = timeS >= FROM_S && timeS < AS_OF_S;
        if (!isMissing || !isInWindow) return;
        const isReported = timeS < seen.startS || seen.gaps.some(({ fromS, toS }) => fromS <= timeS && timeS <= toS);
        expect(isReported).to.equal(true);
      }),
    );
  });

  it('touches the wallets that traded on the day of a gap', () => {
    const minutes = gap(FROM_S + 3 * DAY_S + 60, FROM_S + 3 * DAY_S + 120);
    const overMidnight = gap(FROM_S + 7 * DAY_S - 1, FROM_S + 7 * DAY_S);
    const touched = (...days: number[]) =>
      touchingGap(
        days.reduce((bits, day) => bits | (1n << BigInt(day)), 0n),
        [minutes, overMidnight],
        WINDOWS,
      );
    expect(touched(3)).to.equal(minutes);
    expect([touched(6), touched(7)]).to.deep.equal([overMidnight, overMidnight]);
    expect([touched(), touched(2, 4, 5, 8, 89)]).to.deep.equal([null, null]);
  });

  it('touches every wallet with a gap of a day or more: nobody knows who traded there', () => {
    const dayS = FROM_S + 20 * DAY_S;
    const day = gap(dayS, dayS + DAY_S - 1);
    const overMidnight = gap(dayS + 3_600, dayS + 3_600 + DAY_S);
    const almostADay = gap(dayS, dayS + DAY_S - 2);
    const tradesElsewhere = 1n << 50n;
    for (const long of [day, overMidnight]) {
      expect(touchingGap(tradesElsewhere, [long], WINDOWS)).to.equal(long);
      expect(touchingGap(tradesElsewhere, [almostADay, long], WINDOWS)).to.equal(long);
    }
    expect(touchingGap(tradesElsewhere, [almostADay], WINDOWS)).to.equal(null);
    expect(touchingGap(tradesElsewhere, [gap(AS_OF_S - 60, AS_OF_S + DAY_S)], WINDOWS)).to.equal(null);
  });
});
