import { expect } from 'chai';
import { passedFiles } from './called-functions.js';

describe('the files that a request passes', () => {
  const called = (functionName: string, count: number) => ({ functionName, ranges: [{ count }] });

  it('are those of which every request calls a function', () => {
    const scripts = [
      { url: 'file:///dist/one.js', functions: [called('', 0), called('a', 40)] },
      { url: 'file:///dist/two.js', functions: [called('b', 80), called('c', 39), called('', 40)] },
      { url: 'file:///dist/timer.js', functions: [called('d', 3)] },
      { url: 'file:///node_modules/library.js', functions: [called('e', 40)] },
    ];
    expect(passedFiles(scripts, 'file:///dist/', 40)).to.deep.equal([
      { path: 'two.js', functions: ['b', '(anonymous)'] },
      { path: 'one.js', functions: ['a'] },
    ]);
  });
});
