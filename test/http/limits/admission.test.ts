import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { OPERATIONS } from '#api/operations';
import { Admission, type Arrival } from '#http/limits/admission';
import {
  AT_WORK_MAX,
  PLACE_HELD_LATE_MS,
  PLACE_HELD_MS,
  TICK_MS,
  TURN_WAIT_MS,
  WAIT_EXPECTED_MS,
  WAITED_MAX_MS,
  WAITING_MAX,
  WAITING_MIN,
} from '#http/limits/limits';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { OWNER, openDoor } from '../support/door.js';

interface Named extends Arrival {
  readonly name: string;
  readonly address: string;
  readonly token: string;
}

/** Admission under a clock that stands still, and what became of the requests. */
function rig() {
  const clock = new ManualClock();
  const timers = new ManualTimers(clock);
  const warnings: object[] = [];
  const log = { warn: (facts: object) => void warnings.push(facts) };
  const ran: string[] = [];
  const refused: string[] = [];
  const admission = new Admission<Named>({
    stopwatch: clock,
    timers,
    log,
    from: ({ address, token }) => ({ address, token }),
    run: ({ name }) => void ran.push(name),
    refuse: ({ name }) => void refused.push(name),
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    clock,
    ran,
    refused,
    warnings,
    /** A request from an address; returns its response. */
    arrive(name: string, address = '192.0.2.1', token = '') {
      const res = { closed: false };
      const named = { res: res as unknown as ServerResponse, atMs: clock.elapsedMs(), name, address, token };
      const visit = admission.admit(named);
      const end = () => {
        res.closed = true;
        admission.end(visit);
      };
      return { end };
    },
    /** Lets time pass in ticks that come when they are due, or late by so much. */
    async pass(ms: number, lateMs = 0) {
      for (let left = ms; left > 0; left -= TICK_MS) {
        timers.advance(TICK_MS + lateMs);
        await settle();
      }
    },
  };
}

function fill({ arrive }: ReturnType<typeof rig>) {
  return Array.from({ length: AT_WORK_MAX }, (_, n) => arrive(`first ${n}`, `10.0.0.${n}`));
}

/** An answer as /openapi.json describes it. */
const EXAMPLE = JSON.parse(OPERATIONS.preflight_trade.exampleBody) as object;

describe('the work of the door', () => {
  it('is bounded: what is over the bound waits, and what is over that is refused at once', () => {
    const door = rig();
    fill(door);
    for (let n = 0; n < WAITING_MAX; n++) door.arrive(`next ${n}`);
    expect([door.ran.length, door.refused.length]).to.deep.equal([AT_WORK_MAX, 0]);
    door.arrive('over');
    expect(door.refused).to.deep.equal(['over']);
    expect(door.warnings).to.have.length(1);
  });

  it('refuses a caller who has most waiting, and not the newcomer of another', () => {
    const door = rig();
    const places = fill(door);
    for (let n = 0; n < WAITING_MAX; n++) door.arrive(`greedy ${n}`, '192.0.2.1');
    door.arrive('modest', '192.0.2.2');
    expect(door.refused).to.deep.equal([`greedy ${WAITING_MAX - 1}`]);
    places[0]!.end();
    places[1]!.end();
    expect(door.ran.slice(AT_WORK_MAX)).to.have.members(['greedy 0', 'modest']);
  });

  it('refuses further requests of a caller whose first waits for long, and of no other', async () => {
    const door = rig();
    fill(door);
    door.arrive('first of a', '192.0.2.1');
    await door.pass(TURN_WAIT_MS, TICK_MS);
    door.arrive('second of a', '192.0.2.1');
    door.arrive('first of b', '192.0.2.2');
    expect(door.refused).to.deep.equal(['second of a']);
  });

  it('lets no more wait than will soon have their turn at the pace that is seen', async () => {
    const door = rig();
    const places = fill(door);
    for (let n = 0; n < WAITING_MAX; n++) door.arrive(`next ${n}`, `192.0.2.${n}`);
    // 24 turns in a tick are 72 in the time that one may expect to wait.
    const turns = 24;
    for (const { end } of places.slice(0, turns)) end();
    await door.pass(TICK_MS);
    expect([door.ran.length, door.refused.length]).to.deep.equal([AT_WORK_MAX + turns, 0]);
    door.arrive('over', '198.51.100.1');
    const waiting = (turns * WAIT_EXPECTED_MS) / TICK_MS;
    expect(door.refused).to.have.length(WAITING_MAX - turns + 1 - waiting);
  });

  it('lets a few wait however slow the pace, and many again after nobody waited', async () => {
    const door = rig();
    const places = fill(door);
    door.arrive('first');
    await door.pass(TICK_MS);
    for (let n = 0; n < WAITING_MIN; n++) door.arrive(`next ${n}`, `192.0.2.${n}`);
    expect(door.refused).to.have.length(1);
    for (const { end } of places.slice(0, WAITING_MIN)) end();
    await door.pass(TICK_MS);
    for (let n = 0; n < WAITING_MAX; n++) door.arrive(`again ${n}`, `192.0.2.${n}`);
    expect(door.refused).to.have.length(1);
  });

  it('neither runs a request whose client has left nor one that has waited for too long', async () => {
    const door = rig();
    const places = fill(door);
    const left = door.arrive('left');
    left.end();
    door.arrive('stays');
    places[0]!.end();
    expect(door.ran.slice(AT_WORK_MAX)).to.deep.equal(['stays']);
    door.arrive('waits');
    door.clock.advance(WAITED_MAX_MS + 1);
    places[1]!.end();
    expect([door.ran.length, door.refused]).to.deep.equal([AT_WORK_MAX + 1, ['waits']]);
  });

  it('gives the places of those that wait for the outside to others, later if the process is late', async () => {
    const door = rig();
    fill(door);
    door.arrive('waits');
    await door.pass(PLACE_HELD_MS);
    expect(door.ran).to.include('waits');
    const late = rig();
    fill(late);
    late.arrive('waits');
    await late.pass(PLACE_HELD_MS, TICK_MS);
    expect(late.ran).to.not.include('waits');
    await late.pass(PLACE_HELD_LATE_MS, TICK_MS);
    expect(late.ran).to.include('waits');
  });
});

describe('a door with more requests than it can do', () => {
  it('answers those over the bound with 500 and Retry-After, charges them nothing, and runs all others', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Time stands still: no place is given up, and nobody has waited.
    const clock = { ...systemClock, elapsedMs: () => 0 };
    const timers = { sleep: () => new Promise<void>(() => undefined), after: () => () => undefined };
    const door = await openDoor({
      handler: () => held.then(() => EXAMPLE),
      deps: { clock, timers, trustedProxies: ['127.0.0.1'] },
    });
    const over = 30;
    let early = 0;
    const all = Array.from({ length: AT_WORK_MAX + WAITING_MAX + over }, async () => {
      const response = await door.order('slug=a');
      if (response.status === 500 && ++early === over) release();
      return response;
    });
    const answers = await Promise.all(all);
    const refused = answers.filter(({ status }) => status === 500);
    expect(refused).to.have.length(over);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(AT_WORK_MAX + WAITING_MAX);
    for (const response of refused) {
      expect(response.headers.get('retry-after')).to.equal('1');
      expect(await response.json()).to.include({ code: 'overloaded' });
    }
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(500 - AT_WORK_MAX - WAITING_MAX);
    expect((await fetch(`${door.url}/healthz`)).status).to.equal(200);
    await door.stop();
  });

  it('neither charges nor keeps an answer whose client left while it was made', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const door = await openDoor({ handler: () => held.then(() => EXAMPLE) });
    const leaving = new AbortController();
    const headers = { Authorization: `Bearer ${door.token}` };
    const left = fetch(`${door.url}/api/preflight_trade?slug=a`, { headers, signal: leaving.signal }).catch(() => null);
    while (door.orders.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    leaving.abort();
    await left;
    const open = () => new Promise<number>((resolve) => door.http.server.getConnections((_, n) => resolve(n)));
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    release();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await door.order('slug=b')).status).to.equal(200);
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(499);
    await door.stop();
  });
});
