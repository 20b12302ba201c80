import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ServiceProcess } from '#test/support/service-process';
import { Lives } from './seller.js';
import type { Site } from './site.js';

describe('the lives of a seller', () => {
  it('end also with the process that is being started then', async () => {
    let killed = 0;
    let isStarted: (process: ServiceProcess) => void = () => {};
    const started = new Promise<ServiceProcess>((resolve) => {
      isStarted = resolve;
    });
    const lives = new Lives({ name: 'slow', keepsCredits: false, start: () => started }, null as unknown as Site, []);
    const url = lives.url().catch((error: Error) => error.message);
    await sleep(0);
    await lives.end();
    const kill = async () => void killed++;
    isStarted({ url: 'http://127.0.0.1:1', isAlive: () => true, kill } as unknown as ServiceProcess);
    expect(await url).to.equal('it lives no more');
    expect(killed).to.equal(1);
  });
});
