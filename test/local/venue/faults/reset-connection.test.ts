import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { resetConnection } from '#local/venue/faults/reset-connection';
import { listen } from '#test/support/listen';

describe('a connection that is reset', () => {
  const openPair = async () => {
    const server = createServer({ allowHalfOpen: true });
    const far = connect(await listen(server), '127.0.0.1').resume();
    const [near] = (await once(server, 'connection')) as [Socket];
    server.close();
    return { near: near.resume(), far };
  };

  it('is reset for the one at the other end', async () => {
    const { near, far } = await openPair();
    const told = once(far, 'error');
    resetConnection(near);
    expect((await told)[0]).to.include({ code: 'ECONNRESET' });
  });

  it('is closed also in the moment in which it is being ended', async () => {
    const { near } = await openPair();
    const closed = once(near, 'close');
    near.end('the last words');
    resetConnection(near);
    await closed;
  }).timeout(5_000);
});
