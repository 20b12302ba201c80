import { expect } from 'chai';
import { countText, momentText, pctText, shortAddress, signedPctText, waitText } from '#page/model/texts';

describe('figures and moments on pages', () => {
  it('have their zone', () => {
    expect(momentText('2026-08-01T04:30:00Z')).to.equal('2026-08-01 04:30 UTC');
    expect(momentText('2026-08-01')).to.equal('2026-08-01');
    expect(momentText('soon')).to.equal('an unknown time');
  });

  it('have their sign, also when they are rounded to nothing', () => {
    expect([27, -27.54, 0, -0.04, null].map(signedPctText)).to.deep.equal(['+27.0%', '−27.5%', '0.0%', '0.0%', '–']);
    expect(pctText(52.35)).to.equal('52.4%');
  });

  it('are words where they are counted or waited for', () => {
    expect([countText(1, 'entry', 'entries'), countText(1200, 'entry', 'entries')]).to.deep.equal([
      '1 entry',
      '1,200 entries',
    ]);
    expect([0, 44_100, 245_000, 7_800_000].map(waitText)).to.deep.equal(['0 s', '45 s', '4 min 5 s', '2 h 10 min']);
    expect(shortAddress(`0x1234${'0'.repeat(32)}abcd`)).to.equal('0x1234…abcd');
  });
});
