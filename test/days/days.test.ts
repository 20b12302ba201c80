import { expect } from 'chai';
import { REPEATED_DAYS, SIMULATED_DAYS } from '#test/support/size';
import { liveDays } from './support/world.js';

const SEED = Number(process.env.DAYS_SEED ?? 26);

describe('a service that lives through days', function () {
  this.timeout(0);

  it('keeps its promises about time whatever clocks and upstreams do', async () => {
    const startedMs = performance.now();
    const lived = await liveDays(SIMULATED_DAYS, SEED, (day) => {
      if (day % 100 === 0) console.log(`      ${day} days`);
    });
    console.log(
      `      seed ${SEED}, ${lived.days} days in ${((performance.now() - startedMs) / 1e3).toFixed(1)} s, trace ${lived.trace}`,
    );
    if (process.env.DAYS_SHOW) console.log(lived.counts, lived.slowestMs);
    expect(lived.violations.slice(0, 20)).to.deep.equal([]);
  });

  it('does the same again with the same seed', async () => {
    const [one, other] = [await liveDays(REPEATED_DAYS, SEED), await liveDays(REPEATED_DAYS, SEED)];
    expect(other).to.deep.equal(one);
  });
});
