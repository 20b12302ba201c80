import { expect } from 'chai';
import { compare, reportOf } from './compare.js';

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');

const entry = (body: string, headers: readonly (readonly [string, string])[] = [], status = '200') => ({
  sent: 'GET /',
  answer: { status, headers, body },
});

describe('the comparison of two recordings', () => {
  const error = (text: string, more: object = {}) => JSON.stringify({ error: text, code: 'not_found', ...more });

  it('finds nothing in the same answers', () => {
    const entries = { a: entry(error('there is no such path')) };
    expect(reportOf(compare(entries, entries), 1)).to.equal('identical: 1 answers');
  });

  it('names a changed sentence once, with what follows from its length, wherever it stands', () => {
    const terms = (text: string) => base64({ error: text, amount: '20000' });
    const answers = (text: string) => ({
      a: entry(error(text), [['Content-Length', String(text.length)]]),
      b: entry('{}', [['PAYMENT-REQUIRED', terms(text)]]),
      c: entry(`# Errors\n\n${text}\n`, [['ETag', text.slice(0, 5)]]),
    });
    const { entries, sentences, others } = compare(answers('take another path'), answers('use another path'));
    expect([entries, others]).to.deep.equal([3, []]);
    expect([...sentences]).to.deep.equal([['  - take another path\n  + use another path', 3]]);
  });

  it('keeps apart what is more than a sentence', () => {
    const before = { a: entry(error('no such path'), [['Allow', 'GET, POST']]), b: entry('{}') };
    const after = {
      a: entry(error('no such path', { balance: 0 }), [['Allow', 'GET, PUT']], '404'),
      c: entry('{}'),
    };
    const { sentences, others } = compare(before, after);
    expect([...sentences.keys()]).to.deep.equal([]);
    const positions = others.map((other) => other.split('\n')[0]);
    expect(positions).to.include.members([
      'a /answer/status',
      'a /answer/headers:Allow',
      'a /answer/body(json)/balance',
      'b /answer/body(json)',
      'c /answer/body(json)',
    ]);
  });
});
