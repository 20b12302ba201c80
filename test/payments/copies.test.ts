import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { generatePrivateKey } from 'viem/accounts';
import { needAnvil, newPayer, type Payer } from '#test/local/support/chain-harness';
import { throwDice } from '#test/support/killed-process';
import { demandedBy, PAID_CALLS, type PaidCall, type Sent, send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { bothVersions, respell, SPELLINGS, signTransfer } from '#test/support/payment-headers';
import { COPY_ROUNDS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const COPIES = 50;
const SPREAD_MS = 60;
const TOKEN = /(tk_0x[0-9a-f]{40}_)[A-Za-z0-9_-]{43}/;

describe('50 copies of one authorization at once', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let payer: Payer;

  before(async function () {
    needAnvil(this);
    service = await startPaidService();
    payer = await newPayer(service.chain, 5_000_000n * BigInt(COPY_ROUNDS));
  });
  after(() => service?.stop());

  it(`are one request, one settlement and one answer, ${COPY_ROUNDS} times over`, async function () {
    this.timeout(20_000 + 2_000 * COPY_ROUNDS);
    const dice = throwDice();
    for (let round = 0; round < COPY_ROUNDS; round++) {
      const call = PAID_CALLS[round % PAID_CALLS.length]!;
      await sendCopies(call, () => Math.floor(dice.next() * 1e6), `round ${round}, SEED=${dice.seed}`);
    }
  });

  async function sendCopies(call: PaidCall, pick: () => number, round: string): Promise<void> {
    const requested = demandedBy(call, service);
    const validBefore = String(Math.floor(Date.now() / 1e3) + 120);
    const nonce = generatePrivateKey();
    const transfer = { to: requested.payTo, value: requested.amount, validAfter: '0', validBefore, nonce };
    const versions = bothVersions(await signTransfer(payer.account, transfer), requested);
    const [runs, earned] = [service.runs(), await service.chain.balanceOf(service.payee)];

    const copies = Array.from({ length: COPIES }, async () => {
      // Some come while the first is at work, in whatever step; some when it has ended.
      await sleep(pick() % 2 === 0 ? 0 : pick() % SPREAD_MS);
      const both = versions.map(({ name, value }): [string, string] => [name, respell(value, pick() % SPELLINGS)]);
      const sent = [both, both.slice(0, 1), both.slice(1)][pick() % 3]!;
      return send(call.call(service), Object.fromEntries(sent));
    });
    const answers = await Promise.all(copies);

    expectOne(answers, call, round);
    expect(service.runs() - runs, `${round}: runs of the handler`).to.equal(call.request === 'credits' ? 0 : 1);
    const settled = service.facilitator.faults.calls({ operation: 'settle', nonce });
    expect(settled, `${round}: calls of settle`).to.have.length(1);
    expect((await service.chain.balanceOf(service.payee)) - earned, round).to.equal(call.priceMicros);
  }

  /**
   * One answer; that of a pack with its token for the copy that began it, and for no other: they
   * send no secret.
   */
  function expectOne(answers: readonly Sent[], call: PaidCall, round: string): void {
    expect(new Set(answers.map(({ status }) => status)), round).to.deep.equal(new Set([200]));
    const texts = answers.map(({ text }) => text);
    const covered = texts.map((text) => text.replace(TOKEN, '$1***'));
    expect(new Set(covered).size, `${round}: different bodies`).to.equal(1);
    const shown = texts.filter((text, n) => text !== covered[n]);
    expect(shown, `${round}: copies that show the token`).to.have.length(call.request === 'credits' ? 1 : 0);
  }
});
