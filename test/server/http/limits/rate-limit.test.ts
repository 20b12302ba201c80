import { expect } from 'chai';
import { rateKey } from '#domain/rate-key';
import { createRateLimiter } from '#http/limits/rate-limit';
import { ManualClock } from '#test/support/manual-clock';

describe('rate limit', () => {
  const clock = new ManualClock();

  it('lets so many requests through and then tells how long to wait', async () => {
    const limiter = createRateLimiter({ windowS: 60, points: 3 }, 10, clock);
    for (let i = 0; i < 3; i += 1) expect(await limiter.take('192.0.2.1')).to.equal(null);
    expect(await limiter.take('192.0.2.1')).to.be.within(1, 60);
    expect(await limiter.take('192.0.2.2')).to.equal(null);
  });

  for (const stepMs of [-3_600_000, 3_600_000, 90_000_000]) {
    it(`ends its window after as long as ever when the wall clock is set by ${stepMs / 3_600_000} h`, async () => {
      const limiter = createRateLimiter({ windowS: 60, points: 1 }, 10, clock);
      await limiter.take('192.0.2.1');
      clock.advance(20_000);
      clock.step(stepMs);
      expect(await limiter.take('192.0.2.1')).to.equal(40);
      clock.advance(40_001);
      expect(await limiter.take('192.0.2.1')).to.equal(null);
    });
  }

  it('gives points back, and never more than were taken', async () => {
    const limiter = createRateLimiter({ windowS: 60, points: 10 }, 10, clock);
    expect(await limiter.take('192.0.2.1', 10)).to.equal(null);
    expect(await limiter.take('192.0.2.1')).not.to.equal(null);
    await limiter.giveBack('192.0.2.1', 1_000);
    expect(await limiter.take('192.0.2.1', 10)).to.equal(null);
    expect(await limiter.take('192.0.2.1', 1)).not.to.equal(null);
    await limiter.giveBack('192.0.2.2', 5);
    expect(await limiter.take('192.0.2.2', 11)).not.to.equal(null);
  });

  it('forgets the address seen first when it knows too many', async () => {
    const limiter = createRateLimiter({ windowS: 60, points: 1 }, 2, clock);
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) await limiter.take(address);
    expect(await limiter.take('192.0.2.3')).not.to.equal(null);
    expect(await limiter.take('192.0.2.1')).to.equal(null);
  });

  it('takes one IPv6 network for one customer, and an IPv4 address in any clothes for itself', () => {
    expect(rateKey('2001:db8:1:2:3:4:5:6')).to.equal('2001:db8:1:2');
    expect(rateKey('2001:db8:1:2::6')).to.equal('2001:db8:1:2');
    expect(rateKey('2001:DB8:1:0002::')).to.equal('2001:db8:1:2');
    expect(rateKey('2001:db8::1')).to.equal('2001:db8:0:0');
    expect(rateKey('::1')).to.equal('0:0:0:0');
    expect(rateKey('fe80::1%eth0')).to.equal('fe80:0:0:0');
    expect(rateKey('::ffff:192.0.2.1')).to.equal('192.0.2.1');
    expect(rateKey('192.0.2.1')).to.equal('192.0.2.1');
    expect(rateKey('192.0.2.1:4711')).to.equal('192.0.2.1');
    expect(rateKey('[2001:db8:1:2::6]:4711')).to.equal('2001:db8:1:2');
  });
});
