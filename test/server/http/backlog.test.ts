import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { openDoor } from './support/door.js';

/** More than Node lets wait unless it is told. */
const CLIENTS = 800;

/** Tells how many connections came about: it ends when for a while there were no more. */
const CONNECT = `
  const { connect } = require('node:net');
  let connected = 0;
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(() => { console.log(connected); process.exit(); }, 400); };
  wait();
  for (let n = 0; n < ${CLIENTS}; n++) connect(Number(process.argv[1]), '127.0.0.1', () => { connected++; wait(); });
`;

/** What the system lets wait at most. */
const SYSTEM_MAX = '/proc/sys/net/core/somaxconn';

describe('a crowd of new clients', () => {
  it('is let in while the process is busy: none has to try again', async function () {
    if (!existsSync(SYSTEM_MAX) || Number(readFileSync(SYSTEM_MAX, 'utf8')) < CLIENTS) {
      console.log(`    SKIPPED: ${SYSTEM_MAX} does not say that ${CLIENTS} connections may wait`);
      this.skip();
    }
    const door = await openDoor();
    const { port } = door.http.server.address() as AddressInfo;
    // This process waits meanwhile, and accepts none.
    const connected = execFileSync(process.execPath, ['-e', CONNECT, String(port)], { encoding: 'utf8' });
    await door.stop();
    expect(Number(connected)).to.equal(CLIENTS);
  });
});
