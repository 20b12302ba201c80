import { expect } from 'chai';
import type { Labels } from './exposition.js';
import { evaluate, type Scrape, selectorsOf } from './promql.js';

const sample = (name: string, labels: Labels, value: number) => ({ name, labels, value });
const A = { tool: 'a', le: '1' };
const SCRAPES: readonly Scrape[] = [
  { atS: 1_000, samples: [sample('calls_total', { tool: 'a' }, 5), sample('calls_total', { tool: 'b' }, 100)] },
  {
    atS: 1_060,
    samples: [
      sample('calls_total', { tool: 'a' }, 65),
      // It began anew in between.
      sample('calls_total', { tool: 'b' }, 30),
      sample('up', {}, 0),
      sample('seconds_bucket', A, 5),
      sample('seconds_bucket', { ...A, le: '2' }, 10),
      sample('seconds_bucket', { ...A, le: '+Inf' }, 10),
    ],
  },
];
const values = (query: string) => evaluate(query, SCRAPES).map(({ value }) => value);

describe('queries of alerts and panels', () => {
  it('select what stands in the last scrape, by their labels', () => {
    expect(values('calls_total{tool="a"}')).to.deep.equal([65]);
    expect(values('calls_total{tool=~"a|b"}')).to.deep.equal([65, 30]);
    expect(values('calls_total{tool!~"a.*"}')).to.deep.equal([30]);
    expect(values('nothing_total')).to.deep.equal([]);
  });

  it('compare and reckon, and keep what is so', () => {
    expect(values('calls_total > 50')).to.deep.equal([65]);
    expect(values('up == 0')).to.deep.equal([0]);
    expect(values('time() - up')).to.deep.equal([1_060]);
    expect(values('calls_total / calls_total')).to.deep.equal([1, 1]);
    expect(evaluate('sum by (tool) (calls_total)', SCRAPES)[1]).to.deep.equal({ labels: { tool: 'b' }, value: 30 });
    expect(values('sum(calls_total) - 5')).to.deep.equal([90]);
  });

  it('see how much counters grew in a range, also if they began anew', () => {
    expect(values('increase(calls_total[5m])')).to.deep.equal([60, 30]);
    expect(values('rate(calls_total{tool="a"}[5m])')).to.deep.equal([1]);
    expect(values('rate(calls_total[30s])')).to.deep.equal([]);
  });

  it('find the quantile of a histogram as Prometheus does', () => {
    expect(values('histogram_quantile(0.5, seconds_bucket)')).to.deep.equal([1]);
    expect(values('histogram_quantile(0.75, sum by (le) (seconds_bucket))')).to.deep.equal([1.5]);
  });

  it('name what they select, and are refused if they are none or more than is known here', () => {
    expect(selectorsOf('rate(a_total[5m]) / on() b').map(({ name }) => name)).to.deep.equal(['a_total', 'b']);
    expect(() => evaluate('rate(', SCRAPES)).to.throw('no query');
    expect(() => evaluate('absent(up)', SCRAPES)).to.throw('absent() is not known here');
    expect(() => evaluate('up and up', SCRAPES)).to.throw('and is not known here');
  });
});
