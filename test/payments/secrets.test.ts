import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FaultPlan } from '#local/chain/facilitator-faults';
import { needAnvil } from '#test/local/support/chain-harness';
import { type LocalMoney, moneyOf } from '#test/support/local-money';
import { type LocalProcess, newDataDir, startLocalProcess } from '#test/support/local-process';
import { PAID_CALLS, send } from '#test/support/paid-calls';
import { PAYING_CLIENTS } from '#test/support/paying-clients';
import { decodeHeader, respell } from '#test/support/payment-headers';
import { publishSampleBoard } from '#test/support/rated-data-dir';
import type { Account } from '#test/support/signed-payments';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

/** Stands where a secret could be; it is in none of our own words. */
const CANARY = 'c4n4ry';

/** Everything that a facilitator can make us complain of. */
const SETTLE_FAULTS: readonly Omit<FaultPlan, 'operation'>[] = [
  { fault: 'drop-after' },
  { fault: 'error-after' },
  { fault: 'garbage-after' },
  { fault: 'lie-failed', reason: 'settlement_failed' },
  { fault: 'pending', minedAfterMs: 100 },
  { fault: 'error-before' },
  { fault: 'reject' },
];

describe('what is written about payments', function () {
  this.timeout(PROCESS_TEST_MS);
  let local: LocalProcess;
  let money: LocalMoney;
  let written: string;
  const secrets = new Map<string, string>();

  const keep = (name: string, value: string) => secrets.set(value, name);

  /**
   * Keeps what is secret in a payment header: the whole, the piece that says the signature, the
   * signature and the nonce.
   */
  function keepHeader(value: string): void {
    const { signature, authorization } = decodeHeader(value).payload;
    const at = Math.ceil((Buffer.from(value, 'base64').indexOf(signature) * 4) / 3) + 4;
    keep('header', value);
    keep('piece of a header', value.slice(at, at + 60));
    keep('signature', signature);
    keep('signature', signature.slice(2, 66));
    keep('nonce', authorization.nonce);
  }

  function keepToken(token: string): void {
    keep('token', token);
    keep('secret of a token', token.slice(-43));
  }

  /** Pays with the first client, whatever comes of it. */
  async function payAnyway(account: Account): Promise<void> {
    const { sent } = await PAYING_CLIENTS[0]!.buy(account, PAID_CALLS[0]!.call(local.facts));
    keepHeader(sent.value);
  }

  async function buyEverything(account: Account): Promise<string> {
    let last = '';
    for (const client of PAYING_CLIENTS) {
      for (const call of PAID_CALLS) {
        const { sent, text } = await client.buy(account, call.call(local.facts));
        keepHeader(sent.value);
        const { token } = JSON.parse(text);
        if (token !== undefined) keepToken(token);
        last = sent.value;
      }
    }
    return last;
  }

  async function misbehave(v1Header: string): Promise<void> {
    const trade = PAID_CALLS[0]!.call(local.facts);
    const canary64 = Buffer.from(`{"x402Version":2,"payload":"${CANARY}"}`).toString('base64');
    const tries: Record<string, string>[] = [
      { 'PAYMENT-SIGNATURE': CANARY },
      { 'PAYMENT-SIGNATURE': canary64, 'X-PAYMENT': v1Header },
      { 'X-PAYMENT': respell(v1Header, 1), authorization: `Bearer ${CANARY}` },
      { authorization: `Bearer tk_0x${'1'.repeat(40)}_${CANARY}`, 'Idempotency-Key': CANARY },
      { authorization: CANARY, 'X-PAYMENT': `${v1Header}, ${CANARY}` },
    ];
    for (const headers of tries) await send(trade, headers);
    await send({ url: `${local.facts.url}/api/credits?${CANARY}=1`, init: { method: 'POST' } }, tries[0]!);
    const late = { method: 'POST', body: CANARY, headers: { 'content-type': 'application/json' } };
    await send({ url: `${local.facts.url}/api/preflight_trade`, init: late }, { 'X-PAYMENT': v1Header });
  }

  before(async function () {
    needAnvil(this);
    const dataDir = newDataDir();
    await publishSampleBoard(dataDir);
    local = await startLocalProcess({ dataDir, env: { LOG_LEVEL: 'trace' } });
    money = moneyOf(local);
    const account = await money.newWallet(20_000_000n);
    const lastHeader = await buyEverything(account);
    for (const fault of SETTLE_FAULTS) {
      await money.plan({ operation: 'settle', ...fault });
      await payAnyway(account);
    }
    for (const fault of ['reject', 'garbage-before', 'error-before'] as const) {
      await money.plan({ operation: 'verify', fault, times: 2 });
      await payAnyway(account);
    }
    await misbehave(lastHeader);
    await local.end('SIGKILL');
    const first = local.output();
    local = await startLocalProcess({ dataDir: local.dataDir, port: local.port, env: { LOG_LEVEL: 'trace' } });
    await misbehave(lastHeader);
    await local.end('SIGTERM');
    written = first + local.output() + readFileSync(join(local.dataDir, 'preflight.log'), 'utf8');
  });
  after(async () => {
    await local?.end('SIGKILL');
    if (local !== undefined) rmSync(local.dataDir, { recursive: true, force: true });
  });

  it('tells what happened', () => {
    const received = (text: string) => written.split(text).length - 1;
    expect(received('"payment settled"')).to.be.at.least(PAYING_CLIENTS.length * PAID_CALLS.length + 6);
    expect(received('"settlement attempted"')).to.be.above(received('"payment settled"'));
    expect(received('"payment failed"')).to.be.at.least(1);
    expect(received('"answered"')).to.be.above(40);
  });

  it('has no signature, nonce, token or header of any payment in it', () => {
    expect(secrets.size).to.be.above(90);
    const leaks = [...secrets].filter(([secret]) => written.toLowerCase().includes(secret.toLowerCase()));
    expect(leaks.map(([, name]) => name)).to.deep.equal([]);
    expect(written).not.to.include(CANARY);
  });

  it('has no private key in it', () => {
    const files = ['local-keys.json', 'chain-keys.json'].map((name) => readFileSync(join(local.dataDir, name), 'utf8'));
    const keys = files.join().match(/0x[0-9a-f]{64}/g)!;
    expect(keys).to.have.length(4);
    for (const key of keys) expect(written).not.to.include(key.slice(2));
  });
});
