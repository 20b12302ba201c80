import { expect } from 'chai';
import fc from 'fast-check';
import { repeatedName } from '#domain/json';

describe('a name that stands twice in one object', () => {
  const ROWS: readonly (readonly [text: string, name: string | null])[] = [
    ['{"a":1,"a":2}', 'a'],
    ['{ "a" : 1 , "b" : {"a":1}, "a" : 2 }', 'a'],
    ['{"x":[{"y":1},{"y":1,"y":1}]}', 'y'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a\\"b":1,"a\\"b":2}', 'a"b'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a":"a","b":["a","a"],"c":{"a":"b:"}}', null],
    ['{"a":"{\\"b\\":1,\\"b\\":2}"}', null],
    ['{"a":"\\\\","b":"\\\\"}', null],
    ['["a","a"]', null],
    ['"a"', null],
    ['1', null],
    ['{}', null],
  ];
  for (const [text, name] of ROWS) {
    it(`of ${text} is ${name === null ? 'none' : JSON.stringify(name)}`, () => {
      JSON.parse(text);
      expect(repeatedName(text)).to.equal(name);
    });
  }

  it('is none in whatever was written from a value', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 4 }), (text) => repeatedName(JSON.stringify(JSON.parse(text))) === null));
  });

  it('is found in a nest that is deeper than any stack', () => {
    const deep = '{"a":['.repeat(100_000) + ']}'.repeat(100_000);
    expect(repeatedName(deep)).to.equal(null);
  });
});
