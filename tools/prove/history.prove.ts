import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { OutsideError } from '#domain/errors';
import { parseWallet, type WalletAddress } from '#domain/ids';
import { throwDice } from '#test/support/killed-process';
import { playHistory } from './history/support/play.js';
import { HistoryWorld } from './history/support/world.js';

const REPLICAS = 3;
const KILLS = 3;
const CALLERS = 64;
const PAUSE_MS = 20;
const KILL_WITHIN_MS = 2_000;
const CLIENTS = 32;
/** Fewer are no evidence: what a busy machine manages while all of it dies. */
const CALLS_PER_MINUTE = 300;
const MINUTES = Number(process.env.HISTORY_MINUTES ?? 10);

describe('three replicas on one database while all of it dies', function () {
  this.timeout((MINUTES + 10) * 60_000);
  let world: HistoryWorld;
  before(async function () {
    world = await HistoryWorld.start(this, REPLICAS);
  });
  after(() => world?.stop());

  it('lose no acknowledged grant of 64 callers whose server is killed, and make none twice', async () => {
    const { credits, store } = world.home;
    const wallet = parseWallet(`0x${'f0'.repeat(20)}`) as WalletAddress;
    const dice = throwDice();
    let [acknowledged, unknown, isOver] = [0, 0, false];
    const give = () =>
      credits.grant(wallet, 1, 1, 'a kill').then(
        () => void acknowledged++,
        ({ failure }: OutsideError) => (failure === 'unknown' ? void unknown++ : sleep(PAUSE_MS)),
      );
    const caller = async () => {
      while (!isOver) await give();
    };
    const callers = Array.from({ length: CALLERS }, caller);
    for (let kills = 0; kills < KILLS; kills++) {
      await sleep(dice.next() * KILL_WITHIN_MS);
      await world.killPostgres();
    }
    await sleep(KILL_WITHIN_MS);
    isOver = true;
    await Promise.all(callers);
    const booked = (await store.ledger(wallet, 1_000_000)).length;
    console.log(
      `seed ${dice.seed}: ${KILLS} kills, ${acknowledged} acknowledged, ${booked} booked, ${unknown} unknown`,
    );
    expect(booked).to.be.within(Math.max(acknowledged, 1), acknowledged + unknown);
  });

  it('answer as one that never does: no debit is lost, none is made twice', async () => {
    const { breaches, report, calls } = await playHistory(world, { clients: CLIENTS, forMs: MINUTES * 60_000 });
    console.log(report);
    expect(breaches.join('\n')).to.equal('');
    expect(calls).to.be.above(MINUTES * CALLS_PER_MINUTE);
  });
});
