import { createServer } from 'node:http';
import { expect } from 'chai';
import { systemTimers } from '#adapters/process/system-timers';
import { OutsideError } from '#domain/errors';
import { createLifecycle } from '#http/lifecycle';
import { startLoopbackServer } from '#test/support/loopback-server';
import { rejectionOf } from '#test/support/promises';

describe('a place that cannot be listened at', () => {
  const listenAt = (port: number, host: string) => {
    const lifecycle = createLifecycle(createServer(), systemTimers);
    return rejectionOf<OutsideError>(lifecycle.listen(port, host).finally(() => lifecycle.stop()));
  };

  it('is named in a sentence that says what to do', async () => {
    const taken = await startLoopbackServer();
    const port = Number(new URL(taken.baseUrl).port);
    const error = await listenAt(port, '127.0.0.1');
    expect(error).to.be.instanceOf(OutsideError);
    expect(error.message).to.equal(
      `127.0.0.1:${port}: cannot be listened at: something else listens there: end it, or set another PORT or METRICS_PORT`,
    );
    await taken.close();
    expect((await listenAt(0, '192.0.2.1')).message).to.match(/this machine has no such address: set HOST/);
  });
});
