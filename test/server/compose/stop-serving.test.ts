import { createServer } from 'node:http';
import { expect } from 'chai';
import { stopServing } from '#compose/doors';
import { createLifecycle } from '#http/lifecycle';
import { STOP_WAIT_MS } from '#http/limits/limits';
import { newPayment, startPaymentsRig } from '#test/server/services/support/payments-rig';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

describe('a service that stops while a payment takes its time', () => {
  it('tells its client that the outcome is not known, before it would cut the connection', async () => {
    const rig = await startPaymentsRig({ facilitators: 1 });
    rig.facilitators[0]!.settles = new Promise<never>(() => {}) as never;
    const server = createServer((_req, res) => {
      res.setHeader('connection', 'close');
      void rig.pay(newPayment(rig.clock)).then(({ kind }) => res.end(kind));
    });
    const timers = new ManualTimers(new ManualClock());
    const lifecycle = createLifecycle(server, timers);
    const { port } = await lifecycle.listen(0, '127.0.0.1');
    const requested = fetch(`http://127.0.0.1:${port}`).then(
      (answer) => answer.text(),
      () => 'cut',
    );
    await rig.until(() => rig.facilitators[0]!.requested.includes('settle'));
    const stopped = stopServing({ server: lifecycle, payments: rig.payments, timers });
    timers.advance(STOP_WAIT_MS - 1);
    expect(await Promise.race([requested, new Promise((resolve) => setTimeout(resolve, 500, 'no answer'))])).to.equal(
      'unknown',
    );
    await stopped;
    expect(timers.waiting).to.equal(0);
    await rig.close();
  });
});
