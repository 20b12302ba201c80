import { expect } from 'chai';
import { OPERATIONS } from '#api/operations';
import { TOOLS } from '#api/prices';
import { EXAMPLE_WALLETS } from '#api/sandbox/sandbox-wallets';
import { createSandbox } from '#services/gate/sandbox';

const QUEUED = { wallet: EXAMPLE_WALLETS.NEWCOMER.wallet };

/** A sandbox at a time that the test sets. */
function sandboxAt() {
  const clock = { nowMs: 0, elapsedMs: () => clock.nowMs };
  const sandbox = createSandbox(clock);
  const ask = (caller: string) => {
    const result = sandbox('preflight_copy', QUEUED, caller);
    return result.kind === 'free' ? result.status : result.kind;
  };
  return { clock, sandbox, ask };
}

describe('the sandbox', () => {
  it('has the bytes of the one example for whatever is not documented', () => {
    const { sandbox } = sandboxAt();
    for (const tool of TOOLS) {
      for (const raw of [{}, { slug: 'x' }, new Error('no body'), undefined]) {
        expect(sandbox(tool, raw, 'a')).to.deep.equal({ kind: 'example', body: OPERATIONS[tool].exampleBody });
      }
    }
  });

  it('answers QUEUED with a time to wait, and after that time the profile, and then begins anew', () => {
    const { clock, sandbox, ask } = sandboxAt();
    const first = sandbox('preflight_copy', QUEUED, 'a');
    expect(first).to.include({ kind: 'free', status: 202, retryAfterS: 1 });
    clock.nowMs = 999;
    expect(ask('a')).to.equal(202);
    clock.nowMs = 1_000;
    expect(ask('a')).to.equal('example');
    expect(ask('a')).to.equal(202);
  });

  it('lets nobody wait for another, and forgets who does not come back', () => {
    const { clock, ask } = sandboxAt();
    expect(ask('a')).to.equal(202);
    clock.nowMs = 1_000;
    expect(ask('b')).to.equal(202);
    clock.nowMs = 600_001;
    expect(ask('a')).to.equal(202);
  });

  it('remembers 1000 callers, and of more the latest', () => {
    const { clock, ask } = sandboxAt();
    for (let n = 0; n <= 1_000; n++) ask(`caller ${n}`);
    clock.nowMs = 1_000;
    expect(ask('caller 1')).to.equal('example');
    expect(ask('caller 0')).to.equal(202);
  });
});
