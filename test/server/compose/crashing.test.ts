import { expect } from 'chai';
import { armCrashPoint } from '#adapters/process/crash-point';
import { crashing, crashingStore } from '#compose/crashing';
import { endWhole } from '#http/answers/answer';
import { CRASH_POINTS, type CrashPointName, type CrashPoints } from '#ports/crash-point';
import { newPayment, type Outside, paid, startPaymentsRig, timedOut } from '#test/server/services/support/payments-rig';
import { startLoopbackServer } from '#test/support/loopback-server';

describe('crash points', () => {
  /** Points that only write down that they were passed. */
  function watch(armed: CrashPointName | null = null) {
    const passed: CrashPointName[] = [];
    const crash: CrashPoints = { hit: (name) => void passed.push(name), armed: (name) => name === armed };
    return { passed, crash };
  }

  const around = (outside: Outside, crash: CrashPoints) => ({
    ...crashing({ ...outside, endPaid: endWhole }, crash),
    store: crashingStore(outside.store, crash),
  });

  it('are passed by a payment in the order of their list, from the first look at its row to the last byte', async () => {
    const { passed, crash } = watch('reply.half');
    let endPaid = endWhole;
    const watched = (outside: Outside) => {
      const path = around(outside, crash);
      endPaid = path.endPaid;
      return path;
    };
    const rig = await startPaymentsRig({ around: watched });
    const server = await startLoopbackServer();
    try {
      rig.facilitators[0]!.settles = timedOut;
      rig.chain.says = paid;
      const outcome = await rig.pay(newPayment(rig.clock));
      const body = (outcome.kind === 'answered' ? outcome.body : null) ?? '';
      server.answer((_, response) => endPaid(response.writeHead(200), body));
      expect(await (await fetch(server.baseUrl)).text())
        .to.equal(body)
        .and.to.include('"paid"');
      expect(passed).to.deep.equal(CRASH_POINTS);
    } finally {
      await server.close();
      await rig.close();
    }
  });

  it('are none where a failure is recorded', async () => {
    const { passed, crash } = watch();
    const rig = await startPaymentsRig({ around: (outside) => around(outside, crash) });
    try {
      rig.facilitators[0]!.settles = { kind: 'rejected', reason: 'insufficient_funds' };
      rig.chain.says = rig.unused();
      expect((await rig.pay(newPayment(rig.clock))).kind).to.equal('refused');
      expect(passed.slice(passed.indexOf('resolve.after'))).to.deep.equal(['resolve.after']);
    } finally {
      await rig.close();
    }
  });

  it('are none unless one is armed by its name', () => {
    expect([armCrashPoint(undefined), armCrashPoint('')]).to.deep.equal([null, null]);
    expect(() => armCrashPoint('settle.late')).to.throw('no crash point "settle.late"; there are claim.before');
    const armed = CRASH_POINTS.filter((name) => armCrashPoint('settle.after#2')?.armed(name));
    expect(armed).to.deep.equal(['settle.after']);
  });
});
