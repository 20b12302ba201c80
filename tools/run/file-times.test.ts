import { expect } from 'chai';
import { slowestText } from './file-times.js';

describe('the times of test files', () => {
  const timeOf = (seconds: number) => ({ file: `dist/test/${seconds}.test.js`, seconds, cpuSeconds: seconds / 4 });

  it('names the ten that took longest, with what they computed', () => {
    const lines = slowestText(Array.from({ length: 30 }, (_, seconds) => timeOf(seconds)));
    expect(lines).to.have.length(11);
    expect(lines[0]).to.equal('the slowest of 30 files:');
    expect(lines[1]).to.equal('    29.0 s  (7.3 s of CPU)  dist/test/29.test.js');
    expect(lines.at(-1)).to.include('dist/test/20.test.js');
  });

  it('says nothing of a few', () => {
    expect(slowestText([timeOf(1), timeOf(2)])).to.deep.equal([]);
  });
});
