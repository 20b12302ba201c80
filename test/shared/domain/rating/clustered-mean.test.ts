import { expect } from 'chai';
import { clusteredMean } from '#domain/rating/clustered-mean';

const event = (...returns: readonly number[]) => ({
  scored: returns.length,
  returnFeeNano: returns.reduce((sum, one) => sum + one * 1e9, 0),
});

describe('the mean return over events', () => {
  it('is that of the entries, each with one dollar', () => {
    const { entries, events, roi } = clusteredMean([event(1, 1, -1), event(0.5), event()], 1.96);
    expect([entries, events, roi]).to.deep.equal([4, 2, 0.375]);
  });

  it('has the interval of a plain mean where every event is one entry', () => {
    const returns = [1, -1, 0.4, -1, 0.9, 0.2];
    const { roi, low, high } = clusteredMean(
      returns.map((one) => event(one)),
      2,
    );
    const mean = returns.reduce((sum, one) => sum + one, 0) / 6;
    const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 5;
    expect(roi).to.be.closeTo(mean, 1e-12);
    expect(high! - roi!).to.be.closeTo(2 * Math.sqrt(variance / 6), 1e-12);
    expect(roi! - low!).to.be.closeTo(high! - roi!, 1e-12);
  });

  it('is as wide for ten entries of one event as for one', () => {
    const [once, tenTimes] = [1, 10].map((times) =>
      clusteredMean(
        [1, -1, 0.5].map((one) => event(...Array<number>(times).fill(one))),
        1.96,
      ),
    );
    expect(tenTimes!.roi).to.be.closeTo(once!.roi!, 1e-12);
    expect(tenTimes!.high).to.be.closeTo(once!.high!, 1e-12);
  });

  it('has no number of nothing, and no interval of one event', () => {
    expect(clusteredMean([event()], 1.96)).to.deep.equal({ entries: 0, events: 0, roi: null, low: null, high: null });
    expect(clusteredMean([event(1, 0)], 1.96)).to.deep.equal({
      entries: 2,
      events: 1,
      roi: 0.5,
      low: null,
      high: null,
    });
  });
});
