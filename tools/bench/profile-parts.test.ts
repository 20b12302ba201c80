import type { Profiler } from 'node:inspector';
import { expect } from 'chai';
import { partsOf, scaledTo } from './support/profile-parts.js';

const node = (id: number, functionName: string, url: string, children: number[] = []): Profiler.ProfileNode => ({
  id,
  callFrame: { functionName, url, scriptId: '0', lineNumber: 0, columnNumber: 0 },
  children,
});

describe('where the CPU of a call goes', () => {
  const profile: Profiler.Profile = {
    nodes: [
      node(1, '(root)', '', [2, 3, 4, 5, 12]),
      node(2, '(idle)', ''),
      node(3, '(garbage collector)', ''),
      node(4, 'onread', 'node:internal/stream_base_commons', [6]),
      node(5, 'run', 'file:///a/dist/src/server/services/gate/gate.js', [7, 8, 9]),
      node(6, 'constructor', ''),
      node(7, 'get', 'file:///a/node_modules/lmdb/read.js', [10]),
      node(8, 'parse', 'file:///a/node_modules/zod/v4/core.js'),
      node(9, 'walk', 'file:///a/dist/src/shared/domain/order/walk.js', [11]),
      node(10, 'getByBinary', ''),
      node(11, 'find', 'file:///a/node_modules/@noble/curves/x.js'),
      node(12, 'post', 'node:inspector', [13]),
      node(13, 'dispatch', ''),
    ],
    samples: [2, 3, 4, 6, 5, 7, 10, 8, 9, 11, 1, 13],
    timeDeltas: [1_000, 7, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    startTime: 0,
    endTime: 2_030,
  };
  const parts = partsOf(profile);

  it('is told by who runs, and native code by who called it; what is idle is none, nor is the profiler', () => {
    expect([...parts]).to.have.deep.members([
      ['garbage collection', 7],
      ['node: http, net, streams, timers', 3],
      ['ours: services/gate', 4],
      ['LMDB, main thread', 24],
      ['parameters (zod)', 32],
      ['ours: domain', 64],
      ['other packages', 128],
      ['everything else', 256],
    ]);
  });

  it('adds up to the whole', () => {
    const scaled = [...scaledTo(parts, 100).values()];
    expect(scaled.reduce((a, b) => a + b, 0)).to.be.closeTo(100, 1e-9);
    expect([...scaledTo(new Map([['a', 0]]), 5).values()]).to.deep.equal([0]);
  });
});
