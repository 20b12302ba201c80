import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freeLowPort } from '#local/free-low-port';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { unreachableOutside } from '#test/support/unreachable-outside';
import { untilListening } from '#test/support/until-listening';

const ROUNDS = Number(process.env.PROVE_STOPS ?? 10);
const CLIENTS = 64;
const THINK_MS = 20;
const LOAD_MS = 1_500;
const PATH = '/api/preflight_trade?sandbox=1';

/** What became of the calls of all clients until nothing listened any more. */
interface Outcome {
  answered: number;
  readonly lost: string[];
}

describe(`${CLIENTS} clients with kept connections while the service is stopped, ${ROUNDS} times`, function () {
  this.timeout(0);

  it('lose no call: each is answered, or refused before it was sent', async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const port = await freeLowPort();
      const child = spawn(process.execPath, [...SHORT_LIVED, join(ROOT, 'dist/bundle/service/main.cjs')], {
        env: { PATH: process.env.PATH, ...unreachableOutside(tempFolder('stops'), port) },
        stdio: 'ignore',
      });
      await untilListening(`http://127.0.0.1:${port}/healthz`);
      const outcome: Outcome = { answered: 0, lost: [] };
      const clients = Promise.all(Array.from({ length: CLIENTS }, () => callUntilRefused(port, outcome)));
      await sleep(LOAD_MS);
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      await clients;
      process.stderr.write(
        `  stops: ${round} of ${ROUNDS}, ${outcome.answered} answered, ${outcome.lost.length} lost\n`,
      );
      expect([code, outcome.lost]).to.deep.equal([0, []]);
      expect(outcome.answered).to.be.above(CLIENTS);
    }
  });
});

async function callUntilRefused(port: number, outcome: Outcome): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const error = await call(port, agent);
    if (error === 'ECONNREFUSED') break;
    if (error === null) outcome.answered++;
    else outcome.lost.push(error);
    await sleep(THINK_MS);
  }
  agent.destroy();
}

/** Resolves with the code of what went wrong, or null. */
function call(port: number, agent: Agent): Promise<string | null> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: PATH, agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode === 200 ? null : `status ${answer.statusCode}`));
      answer.once('error', (err: NodeJS.ErrnoException) => resolve(err.code ?? err.message));
    });
    sent.once('error', (err: NodeJS.ErrnoException) => resolve(err.code ?? err.message));
    sent.end();
  });
}
