import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { type CreditsModule, openCredits, withinTime } from '#compose/credits';
import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { freeLowPort } from '#local/free-low-port';
import { ChangeOutcomes } from '#services/status/change-outcomes';
import { walletNumber } from '#test/contract/support/wallet-number';
import { makeDisk, type OwnDisk } from '#test/support/own-disk';
import { SHORT_LIVED } from '#test/support/short-lived';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { unreachableOutside } from '#test/support/unreachable-outside';
import { untilListening } from '#test/support/until-listening';
import { bearerOf, request as chargeRequest } from './services/support/credits-home.js';

/** Longer than any answer takes: a test that fails must not leave the disk frozen. */
const THAW_AFTER_S = 20;
const LOOK_INTERVAL_MS = 100;
const CODE = 'FROZEN-1';
const CREDITS = 100;

type Answer = readonly [status: number, body: { readonly code?: string }];

const NO_ANSWER: Answer = [0, { code: 'no answer before the thaw' }];

describe('a service whose disk does not answer', function () {
  this.timeout(2 * PROCESS_TEST_MS);
  let disk: OwnDisk;
  let child: ChildProcess;
  let url: string;
  let thawed: Promise<Answer>;
  let thaw: () => void = () => undefined;
  /** This process has the store open, too. */
  let here: CreditsModule;
  let wallet: WalletAddress;
  let wallets = 100;

  before(function () {
    try {
      disk = makeDisk();
    } catch {
      skipLoudly(this, 'a disk of its own can be mounted and frozen by root on Linux alone');
    }
  });
  after(() => disk?.unmount());

  beforeEach(async () => {
    here = await start();
    wallet = walletNumber(++wallets);
    await here.credits.grant(wallet, CREDITS, 30, 'test');
    disk.freeze();
    // By another process: this one waits with all others if it touches the disk.
    const late = spawn('sh', ['-c', `sleep ${THAW_AFTER_S}; fsfreeze --unfreeze ${disk.path}`], { detached: true });
    thawed = once(late, 'exit').then(() => NO_ANSWER);
    thaw = () => {
      thaw = () => undefined;
      if (late.exitCode !== null) return;
      process.kill(-late.pid!, 'SIGKILL');
      disk.thaw();
    };
  });
  afterEach(async () => {
    thaw();
    await here.store.close();
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  async function start(): Promise<CreditsModule> {
    const port = await freeLowPort();
    url = `http://127.0.0.1:${port}`;
    child = spawn(process.execPath, [...SHORT_LIVED, join(ROOT, 'dist/bundle/service/main.cjs')], {
      env: { PATH: process.env.PATH, ...unreachableOutside(disk.path, port) },
      stdio: 'ignore',
    });
    await untilListening(`${url}/healthz`);
    const opened = openCredits(disk.path);
    await opened.credits.createPromo({ code: CODE, credits: 10, walletsMax: 100, days: 30 }).catch(() => undefined);
    return opened;
  }

  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init);
    return [response.status, (await response.json()) as Answer[1]];
  };
  const answer = (path: string, init: RequestInit = {}) => Promise.race([thawed, call(path, init)]);
  const redemption = (n: number) =>
    [
      '/api/redeem',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: CODE, wallet: `0x${String(n).padStart(40, '0')}` }),
      },
    ] as const;

  it('answers what needs no write, and refuses what does', async () => {
    expect((await answer('/healthz'))[0]).to.be.oneOf([200, 500]);
    expect((await answer('/api/preflight_trade?sandbox=1'))[0]).to.equal(200);
    expect((await answer('/api/preflight_trade?slug=a&usd=1'))[0]).to.equal(402);
    const [status, body] = await answer(...redemption(1));
    expect({ status, code: body.code }).to.deep.equal({ status: 500, code: 'store_unavailable' });
    expect((await answer('/healthz'))[0]).to.equal(500);
    expect((await answer('/api/preflight_trade?sandbox=1'))[0]).to.equal(200);
    thaw();
    while ((await call('/healthz', {}))[0] !== 200) await sleep(LOOK_INTERVAL_MS);
    expect((await call(...redemption(2)))[0]).to.equal(200);
  });

  it('gives back or keeps under its key what was debited meanwhile, and loses nothing that was acknowledged', async () => {
    const { credits } = withinTime(here, new ChangeOutcomes(systemClock), {
      timers: systemTimers,
      random: systemRandom,
    });
    const key = { key: 'a call', fingerprint: 'a call' };
    const debit = () => credits.charge(chargeRequest({ bearer: bearerOf(wallet), idempotency: key }));
    const frozen = await Promise.race([thawed, debit().catch((error: Error) => error)]);
    expect(frozen).to.be.instanceOf(OutsideError);
    expect(await remaining()).to.equal(CREDITS);
    thaw();
    expect((await debit()).kind).to.be.oneOf(['charged', 'replayed']);
    expect(await remaining()).to.equal(CREDITS - 1);
  });

  const remaining = async () => (await here.store.account(wallet))?.lots[0]?.remaining;

  it('takes no more connections once it is stopped, ends with the thaw, and has lost nothing', async () => {
    child.kill('SIGTERM');
    await Promise.race([thawed.then(() => Promise.reject(new Error('it listened until the thaw'))), untilRefused()]);
    const exit = once(child, 'exit');
    thaw();
    await exit;
    await here.store.close();
    here = await start();
    expect(await remaining()).to.equal(CREDITS);
    expect((await call(...redemption(3)))[0]).to.equal(200);
  });

  async function untilRefused(): Promise<void> {
    while (
      await fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      )
    )
      await sleep(LOOK_INTERVAL_MS);
  }
});
