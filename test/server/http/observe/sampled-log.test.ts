import { expect } from 'chai';
import { sampledDebug } from '#http/observe/sampled-log';

describe('debug lines of what anybody can cause', () => {
  it('are all written at a low rate, and sampled above it', () => {
    let nowMs = 0;
    const lines: object[] = [];
    const write = sampledDebug({ debug: (facts) => void lines.push(facts) }, { elapsedMs: () => nowMs });
    for (let i = 0; i < 50; i++) write({ i }, 'answered');
    expect(lines).to.have.length(50);
    for (let i = 50; i < 1_050; i++) write({ i }, 'answered');
    expect(lines.slice(50)).to.have.length(10);
    expect(lines.at(-1)).to.deep.equal({ i: 1_049, sampleOf: 100 });
    nowMs = 1_000;
    write({ i: 0 }, 'answered');
    expect(lines).to.have.length(61);
  });
});
