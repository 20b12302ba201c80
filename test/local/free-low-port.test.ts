import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { freeLowPort } from '#local/free-low-port';

const RANGE_FILE = '/proc/sys/net/ipv4/ip_local_port_range';

describe('a free low port', () => {
  it('is none that the system gives to outgoing connections, nor one that needs rights', async () => {
    const lowest = firstOutgoingPort();
    for (const port of await Promise.all(Array.from({ length: 50 }, freeLowPort))) {
      expect(port).to.be.at.least(1_024);
      expect(port).to.be.below(lowest);
    }
  });

  it('can be listened on', async () => {
    const port = await freeLowPort();
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    expect(server.address()).to.include({ port });
    server.close();
  });
});

/** As Linux says; elsewhere as IANA has it. */
function firstOutgoingPort(): number {
  try {
    return Number(readFileSync(RANGE_FILE, 'utf8').split(/\s+/)[0]);
  } catch {
    return 49_152;
  }
}
