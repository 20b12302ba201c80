import { join } from 'node:path';
import { expect } from 'chai';
import { createProxy } from '#local/cluster/proxy';
import type { ReplicaOptions } from '#local/cluster/replica';
import { Replicas } from '#local/cluster/replicas';
import { freeLowPort } from '#local/free-low-port';
import { listen } from '#test/support/listen';
import { until } from '#test/support/live-verdicts';
import { rejectionOf } from '#test/support/promises';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

describe('the replicas of a cluster', function () {
  this.timeout(PROCESS_TEST_MS);
  const folder = tempFolder('replicas');
  const received: string[] = [];
  let changes = 0;
  const deps = {
    print: (what: string) => void received.push(what),
    changed: () => {
      changes++;
    },
  };
  let replicas: Replicas;

  async function optionsOf(id: string, ...args: readonly string[]): Promise<ReplicaOptions> {
    const port = await freeLowPort();
    const script = [...SHORT_LIVED, join(ROOT, 'dist/test/local/support/replica-child.js'), String(port), ...args];
    return { id, port, folder: join(folder, id), script, env: { PATH: process.env.PATH } };
  }

  it('are processes of their own, and the death of one is told and mended while the others go on', async () => {
    replicas = await Replicas.start(await Promise.all(['a', 'b'].map((id) => optionsOf(id))), deps);
    const [a, b] = replicas.facts();
    expect(new Set([a!.pid, b!.pid, process.pid]).size).to.equal(3);
    expect(replicas.targets().map(({ isWell }) => isWell)).to.deep.equal([true, true]);
    process.kill(a!.pid, 'SIGKILL');
    await until('its death is told', async () => received.length > 0);
    expect(received).to.deep.equal([
      `replica a (pid ${a!.pid}) ended by SIGKILL: the others go on, and it is started again`,
    ]);
    expect(replicas.facts()).to.deep.equal([b]);
    expect(await (await fetch(b!.url)).text()).to.equal(String(b!.pid));
    await until('it is up again', async () => received.length > 1);
    const again = replicas.facts().find(({ id }) => id === 'a')!;
    expect(received[1]).to.equal(`replica a is up again (pid ${again.pid})`);
    expect(again.url).to.equal(a!.url);
    expect(again.pid).to.not.equal(a!.pid);
    expect(changes).to.equal(2);
  });

  it('get no requests as long as they stand still and others do not', async () => {
    const [one] = replicas.facts();
    const isWell = () => replicas.targets().find(({ id }) => id === one!.id)!.isWell;
    process.kill(one!.pid, 'SIGSTOP');
    await until('it is seen to be unwell', async () => !isWell());
    process.kill(one!.pid, 'SIGCONT');
    await until('it is seen to be well', async () => isWell());
  });

  it('are restarted one after the other without a request that fails', async () => {
    const proxy = createProxy(replicas.targets);
    const port = await listen(proxy);
    const before = replicas.facts();
    let rolling = true;
    const statuses: number[] = [];
    const ask = async () => {
      while (rolling) statuses.push((await fetch(`http://127.0.0.1:${port}?delay_ms=5`)).status);
    };
    const asking = [ask(), ask(), ask()];
    received.length = 0;
    await replicas.roll();
    rolling = false;
    await Promise.all(asking);
    proxy.closeAllConnections();
    proxy.close();
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(replicas.facts().map(({ id, url }) => `${id} ${url}`)).to.deep.equal(
      before.map(({ id, url }) => `${id} ${url}`),
    );
    const pids = before.map(({ pid }) => pid);
    expect(replicas.facts().filter(({ pid }) => pids.includes(pid))).to.deep.equal([]);
    expect(received.map((line) => line.replace(/\d+/, 'N'))).to.deep.equal([
      'restarting replica a (pid N)',
      'replica a is up again (pid N)',
      'restarting replica b (pid N)',
      'replica b is up again (pid N)',
    ]);
  });

  it('finish what they are at when they are stopped, and are told of no more', async () => {
    const before = received.length;
    const requested = replicas.facts().map(({ url }) => fetch(`${url}?delay_ms=300`).then((answer) => answer.text()));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const pids = replicas.facts().map(({ pid }) => String(pid));
    await replicas.stop();
    expect(await Promise.all(requested)).to.deep.equal(pids);
    for (const pid of pids) expect(() => process.kill(Number(pid), 0)).to.throw('ESRCH');
    expect(received).to.have.length(before);
  });

  it('do not start without each of them, and say the last words of the one that failed', async () => {
    const options = [await optionsOf('a'), await optionsOf('b', 'dies')];
    expect((await rejectionOf(Replicas.start(options, deps))).message).to.equal(
      'replica b does not start: it ended by code 1 (the store has schema 7, and this version knows 5)',
    );
  });
});
