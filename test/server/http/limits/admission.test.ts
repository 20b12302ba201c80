import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { OPERATIONS } from '#api/operations';
import { Admission, type Arrival, type Visit } from '#http/limits/admission';
import {
  AT_WORK_AT_ONCE_MAX,
  AT_WORK_MAX,
  BEGUN_PER_TURN,
  IN_WORK_MAX,
  SLOT_HELD_LATE_MS,
  SLOT_HELD_MS,
  TICK_MS,
  TURN_LATE_MS,
  TURN_WAIT_MS,
  WAIT_EXPECTED_MS,
  WAITED_MAX_MS,
  WAITING_MAX,
  WAITING_MIN,
} from '#http/limits/limits';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { deferred } from '#test/support/promises';
import { OWNER, openDoor } from '../support/door.js';

interface Named extends Arrival {
  readonly name: string;
  readonly address: string;
  readonly token: string;
}

/**
 * Admission under a clock that stands still but for what each takes, and what became of the
 * requests.
 */
function rig({ refusingMs = 0, workMs = 0 } = {}) {
  const clock = new ManualClock();
  const timers = new ManualTimers(clock);
  const warnings: object[] = [];
  const log = { warn: (facts: object) => void warnings.push(facts) };
  const ran: string[] = [];
  const refused: string[] = [];
  const givenUp: string[] = [];
  const admission = new Admission<Named>({
    stopwatch: clock,
    timers,
    log,
    from: ({ address, token }) => ({ address, token }),
    run({ name }) {
      ran.push(name);
      clock.advance(workMs);
    },
    refuse({ name }) {
      refused.push(name);
      clock.advance(refusingMs);
    },
    giveUp: ({ name }) => void givenUp.push(name),
  });
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    clock,
    ran,
    refused,
    givenUp,
    warnings,
    turn,
    /** A request from an address; returns how it ends. */
    arrive(name: string, address = '192.0.2.1', token = '') {
      const res = { closed: false };
      const named = { res: res as unknown as ServerResponse, atMs: clock.elapsedMs(), name, address, token };
      const visit = admission.admit(named);
      const end = () => {
        res.closed = true;
        admission.end(visit);
      };
      return { visit, end };
    },
    waitsForClient: (visit: Visit<Named>) => admission.waitsForClient(visit),
    /** Lets time pass in ticks that come when they are due, or late by so much. */
    async pass(ms: number, lateMs = 0) {
      for (let left = ms; left > 0; left -= TICK_MS) {
        timers.advance(TICK_MS + lateMs);
        await turn();
        await turn();
      }
    },
  };
}

/** As many at work as can be, and nobody looks after those that wait any more. */
async function fill({ arrive, turn, pass, ran }: ReturnType<typeof rig>) {
  const slots: { end(): void }[] = [];
  while (slots.length < AT_WORK_MAX) {
    const count = Math.min(WAITING_MAX, AT_WORK_MAX - slots.length);
    for (let n = 0; n < count; n++) slots.push(arrive(`first ${slots.length}`, `10.0.${slots.length >> 8}.${n}`));
    while (ran.length < slots.length) await turn();
  }
  await pass(TICK_MS);
  ran.length = 0;
  return slots;
}

/** An answer as /openapi.json describes it. */
const EXAMPLE = JSON.parse(OPERATIONS.preflight_trade.exampleBody) as object;

describe('the work of the door', () => {
  it('begins in turns of the event loop: a few at once, and more of those that wait', async () => {
    const door = rig();
    for (let n = 0; n < AT_WORK_AT_ONCE_MAX; n++) door.arrive(`at once ${n}`);
    expect(door.ran).to.deep.equal([]);
    await door.turn();
    expect(door.ran).to.have.length(BEGUN_PER_TURN);
    door.arrive('waits');
    await door.turn();
    expect(door.ran).to.include('waits');
    expect(door.ran).to.have.length(2 * BEGUN_PER_TURN + 1);
  });

  it('begins in groups, in the order in which it came, with what comes meanwhile', async () => {
    const door = rig();
    const names = Array.from({ length: 2 * BEGUN_PER_TURN + 1 }, (_, n) => `request ${n}`);
    for (const name of names.slice(0, BEGUN_PER_TURN + 1)) door.arrive(name);
    await door.turn();
    expect(door.ran).to.have.length(BEGUN_PER_TURN);
    for (const name of names.slice(BEGUN_PER_TURN + 1)) door.arrive(name);
    await door.turn();
    expect(door.ran).to.have.length(2 * BEGUN_PER_TURN);
    await door.turn();
    expect(door.ran).to.deep.equal(names);
  });

  it('is bounded: what is over the bound waits, and what is over that is refused at once', async () => {
    const door = rig();
    await fill(door);
    for (let n = 0; n < WAITING_MAX; n++) door.arrive(`next ${n}`);
    await door.turn();
    expect([door.ran, door.refused]).to.deep.equal([[], []]);
    door.arrive('over');
    expect(door.refused).to.deep.equal(['over']);
    expect(door.warnings).to.have.length(1);
  });

  it('refuses a caller who has most waiting, and not the newcomer of another', async () => {
    const door = rig();
    const slots = await fill(door);
    for (let n = 0; n < WAITING_MAX; n++) door.arrive(`greedy ${n}`, '192.0.2.1');
    door.arrive('modest', '192.0.2.2');
    expect(door.refused).to.deep.equal([`greedy ${WAITING_MAX - 1}`]);
    slots[0]!.end();
    slots[1]!.end();
    await door.turn();
    expect(door.ran).to.have.members(['greedy 0', 'modest']);
  });

  it('refuses further requests of a caller whose first waits for long, and of no other', async () => {
    const door = rig();
    await fill(door);
    door.arrive('first of a', '192.0.2.1');
    await door.pass(TURN_WAIT_MS, TICK_MS);
    door.arrive('second of a', '192.0.2.1');
    door.arrive('first of b', '192.0.2.2');
    expect(door.refused).to.deep.equal(['second of a']);
  });

  it('lets no more wait than will soon have their turn at the pace that is seen', async () => {
    const door = rig();
    const slots = await fill(door);
    for (let n = 0; n < WAITING_MAX; n++) door.arrive(`next ${n}`, `192.0.${n >> 8}.${n & 255}`);
    // 24 turns in two ticks are 36 in the time that one may expect to wait.
    const turns = 24;
    for (const { end } of slots.slice(0, turns)) end();
    await door.turn();
    expect([door.ran.length, door.refused.length]).to.deep.equal([turns, 0]);
    await door.pass(TICK_MS, TICK_MS);
    const waiting = (turns * WAIT_EXPECTED_MS) / (2 * TICK_MS);
    expect(door.refused).to.have.length(WAITING_MAX - turns - waiting);
    door.arrive('over', '198.51.100.1');
    expect(door.refused.at(-1)).to.equal('over');
  });

  it('lets a few wait however slow the pace, and many again after nobody waited', async () => {
    const door = rig();
    const slots = await fill(door);
    door.arrive('first');
    await door.pass(TICK_MS, TICK_MS);
    for (let n = 0; n < WAITING_MIN; n++) door.arrive(`next ${n}`, `192.0.2.${n}`);
    expect(door.refused).to.have.length(1);
    for (const { end } of slots.slice(0, WAITING_MIN)) end();
    await door.turn();
    await door.pass(TICK_MS, TICK_MS);
    for (let n = 0; n < WAITING_MAX; n++) door.arrive(`again ${n}`, `192.0.2.${n}`);
    expect(door.refused).to.have.length(1);
  });

  it('lets nobody overtake those that wait', async () => {
    const door = rig();
    const slots = await fill(door);
    door.arrive('waits');
    for (const { end } of slots) end();
    door.arrive('newcomer');
    await door.turn();
    expect(door.ran).to.deep.equal(['waits', 'newcomer']);
  });

  it('bounds those at work together with those that wait for the outside', async () => {
    const door = rig();
    await fill(door);
    for (let inWork = AT_WORK_MAX; inWork < IN_WORK_MAX; inWork += WAITING_MIN) {
      for (let n = 0; n < WAITING_MIN; n++) door.arrive(`outside ${inWork + n}`);
      await door.pass(2 * SLOT_HELD_MS);
    }
    expect([door.ran.length, door.refused]).to.deep.equal([IN_WORK_MAX - AT_WORK_MAX, []]);
    door.arrive('one more');
    await door.pass(2 * SLOT_HELD_MS);
    expect(door.ran).to.have.length(IN_WORK_MAX - AT_WORK_MAX);
    await door.pass(WAITED_MAX_MS);
    expect(door.refused).to.deep.equal(['one more']);
  });

  it('gives up, once it can take no more, those whose clients take long to send the rest', async () => {
    const door = rig();
    const slow = door.arrive('slow');
    await door.turn();
    door.waitsForClient(slow.visit);
    for (let inWork = 1; inWork < IN_WORK_MAX; inWork += WAITING_MIN) {
      for (let n = 0; n < WAITING_MIN && inWork + n < IN_WORK_MAX; n++) door.arrive(`outside ${inWork + n}`);
      await door.pass(2 * SLOT_HELD_MS);
    }
    door.arrive('fresh', '192.0.2.2');
    await door.pass(TICK_MS);
    expect(door.givenUp).to.deep.equal(['slow']);
    slow.end();
    await door.pass(TICK_MS);
    expect(door.ran.at(-1)).to.equal('fresh');
  });

  it('begins as others end while turns are late by their own work', async () => {
    const door = rig({ workMs: TURN_LATE_MS + 1 });
    const slots = Array.from({ length: AT_WORK_AT_ONCE_MAX + 2 }, (_, n) => door.arrive(`next ${n}`));
    for (let n = 0; n < AT_WORK_AT_ONCE_MAX / BEGUN_PER_TURN; n++) {
      door.clock.advance(TURN_LATE_MS + 1);
      await door.turn();
    }
    expect(door.ran).to.have.length(AT_WORK_AT_ONCE_MAX);
    slots[0]!.end();
    door.clock.advance(TURN_LATE_MS + 1);
    await door.turn();
    expect(door.ran).to.have.length(AT_WORK_AT_ONCE_MAX + 1);
  });

  it('neither runs a request whose client has left nor one that has waited for too long', async () => {
    const door = rig();
    const slots = await fill(door);
    const left = door.arrive('left');
    left.end();
    door.arrive('stays');
    slots[0]!.end();
    await door.turn();
    expect(door.ran).to.deep.equal(['stays']);
    door.arrive('waits');
    await door.turn();
    door.clock.advance(WAITED_MAX_MS + 1);
    slots[1]!.end();
    await door.turn();
    expect([door.ran, door.refused]).to.deep.equal([['stays'], ['waits']]);
  });

  it('gives the places of those that wait for the outside to others, later if the process is late', async () => {
    const door = rig();
    await fill(door);
    door.arrive('waits');
    await door.pass(SLOT_HELD_MS);
    expect(door.ran).to.include('waits');
    const late = rig();
    await fill(late);
    late.arrive('waits');
    await late.pass(SLOT_HELD_MS, TICK_MS);
    expect(late.ran).to.not.include('waits');
    await late.pass(SLOT_HELD_LATE_MS, TICK_MS);
    expect(late.ran).to.include('waits');
  });

  it('goes on with those that wait for as long as refusing others took', async () => {
    const refusingMs = 30;
    const workMs = 1;
    const door = rig({ refusingMs, workMs });
    for (let n = 0; n < AT_WORK_AT_ONCE_MAX + WAITING_MAX + 1; n++) door.arrive(`next ${n}`);
    expect(door.refused).to.have.length(1);
    await door.turn();
    expect(door.ran).to.have.length(BEGUN_PER_TURN + 1 + refusingMs / workMs);
  });
});

describe('a door with more requests than it can do', () => {
  it('answers those over the bound with 500 and Retry-After, charges them nothing, and runs all others', async () => {
    const held = deferred();
    // Time stands still: no place is given up, and nobody has waited.
    const clock = { ...systemClock, elapsedMs: () => 0 };
    const timers = { sleep: () => new Promise<void>(() => undefined), after: () => () => undefined };
    const credits = AT_WORK_MAX + WAITING_MAX + 500;
    const door = await openDoor({
      credits,
      handler: () => held.promise.then(() => EXAMPLE),
      deps: { clock, timers, trustedProxies: ['127.0.0.1'] },
    });
    const over = 30;
    let early = 0;
    const all = Array.from({ length: AT_WORK_MAX + WAITING_MAX + over }, async () => {
      const response = await door.order('slug=a');
      if (response.status === 500 && ++early === over) held.resolve();
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
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(500);
    expect((await fetch(`${door.url}/healthz`)).status).to.equal(200);
    await door.stop();
  });

  it('neither charges nor keeps an answer whose client left while it was made', async () => {
    const held = deferred();
    const door = await openDoor({ handler: () => held.promise.then(() => EXAMPLE) });
    const leaving = new AbortController();
    const headers = { Authorization: `Bearer ${door.token}` };
    const left = fetch(`${door.url}/api/preflight_trade?slug=a`, { headers, signal: leaving.signal }).catch(() => null);
    while (door.orders.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    leaving.abort();
    await left;
    const open = () => new Promise<number>((resolve) => door.http.server.getConnections((_, n) => resolve(n)));
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    held.resolve();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await door.order('slug=b')).status).to.equal(200);
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(499);
    await door.stop();
  });
});
