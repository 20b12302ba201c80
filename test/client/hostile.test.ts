import { expect } from 'chai';
import {
  DEFAULT_LIMITS,
  GuardrailRefused,
  memoryState,
  Preflight,
  type PreflightError,
  type TypedDataToSign,
} from '#client/index';
import { clientSystem } from '#client/system';
import {
  answer,
  FORMS,
  type Form,
  HONEST_PAYEE,
  type HostileServer,
  startHostileServer,
  THIEF,
  type Trick,
} from './support/hostile-server.js';
import { hurried } from './support/hurried.js';
import { CATEGORIES, type NamedTrick, OTHERS } from './support/tricks.js';
import { watchedAccount } from './support/watched-account.js';

const DEADLINE_MS = 2_000;

/** Says in which way a signature is outside the rules; null: it is inside. */
function breachOf({ domain, message }: TypedDataToSign): string | null {
  const { to, value, validBefore } = message;
  const { chainId, verifyingContract } = domain;
  if (to.toLowerCase() !== HONEST_PAYEE) return `pays ${to}`;
  if (value !== 20_000n) return `pays ${value}`;
  if (Number(validBefore) > Date.now() / 1e3 + 121) return `is open until ${validBefore}`;
  return chainId === 8453 && /^0x833589fcd6/i.test(verifyingContract) ? null : 'is for another token';
}

const order = { slug: 'a-market', usd: 25 };
const endOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error) => (error instanceof GuardrailRefused ? error.rule : error.name),
  );

describe('against a hostile service', function () {
  this.timeout(60_000);
  let server: HostileServer;
  afterEach(() => server?.close());

  const clientFor = (account: ReturnType<typeof watchedAccount>['account'], form: Form, more: object = {}) =>
    new Preflight({
      baseUrl: server.url,
      account,
      door: form === 'mcp' ? 'mcp' : 'rest',
      system: hurried(50),
      ...more,
    });

  async function play(trick: NamedTrick, form: Form) {
    server = await startHostileServer(trick, form);
    const { account, signed } = watchedAccount();
    const preflight = clientFor(account, form);
    const ends = await endOf(preflight.verdict(order, { deadlineMs: DEADLINE_MS }));
    return { ends, signed, preflight };
  }

  for (const trick of [...CATEGORIES, ...OTHERS]) {
    for (const form of FORMS) {
      it(`${trick.name} by ${form} ends with ${trick.ends}, and ${trick.signatures} signed`, async () => {
        const { ends, signed, preflight } = await play(trick, form);
        expect(ends).to.equal(trick.ends);
        expect(signed.map(breachOf)).to.deep.equal(Array(trick.signatures).fill(null));
        expect((await preflight.spending()).cents).to.equal(2 * trick.signatures);
        expect(server.seen.paid).to.be.at.most(12);
      });
    }
  }

  for (const form of FORMS) {
    it(`a demand by ${form} that says why the request would be refused ends with that, and nothing is signed`, async () => {
      const fault = { error: 'No outcome matches "maybe"', code: 'outcome_required', candidates: ['Yes', 'No'] };
      server = await startHostileServer({ fault }, form);
      const { account, signed } = watchedAccount();
      const preflight = clientFor(account, form);
      const refused = await preflight.verdict(order, { deadlineMs: DEADLINE_MS }).catch((error) => error);
      expect(refused).to.deep.include({ name: 'Problem', code: 'outcome_required', status: 400, charged: 'nothing' });
      expect(refused).to.have.property('candidates').that.deep.equals(['Yes', 'No']);
      expect([signed, server.seen.paid, (await preflight.spending()).open]).to.deep.equal([[], 0, []]);
    });

    it(`budget_split by ${form} ends with daily_cap, whatever the parts`, async () => {
      server = await startHostileServer({}, form);
      const { account, signed } = watchedAccount();
      const preflight = clientFor(account, form, { limits: { dailyMicros: 100_000n } });
      for (let usd = 1; usd <= 5; usd++) expect(await endOf(preflight.verdict({ ...order, usd }))).to.equal('answered');
      for (let usd = 6; usd <= 9; usd++)
        expect(await endOf(preflight.verdict({ ...order, usd }))).to.equal('daily_cap');
      expect([signed.length, (await preflight.spending()).open], 'what is refused is over').to.deep.equal([5, []]);
    });

    it(`a payment without an answer by ${form} is sent again by the next call, and nothing else is signed`, async () => {
      let isDropping = true;
      const trick: Trick = {
        paid: (response) =>
          isDropping ? void response.destroy() : answer(response, form, { ok: true, verdict: 'OK' }),
      };
      server = await startHostileServer(trick, form);
      const { account, signed } = watchedAccount();
      const preflight = clientFor(account, form);
      expect(await endOf(preflight.verdict(order, { deadlineMs: DEADLINE_MS }))).to.equal('OutcomeUnknown');
      expect((await preflight.spending()).open).to.have.length(1);
      isDropping = false;
      expect(await endOf(preflight.verdict(order))).to.equal('answered');
      expect((await preflight.spending()).open).to.have.length(0);
      expect(signed).to.have.length(1);
    });
  }

  it('ghost_paywall: a free call is never paid', async () => {
    server = await startHostileServer({}, 'v2');
    const { account, signed } = watchedAccount();
    const preflight = clientFor(account, 'v2');
    const calls = [preflight.status(), preflight.credits.terms(), preflight.redeem('CODE', account.address)];
    for (const call of calls) expect(await endOf(call)).to.equal('amount_not_published');
    expect(await endOf(new Preflight({ baseUrl: server.url }).verdict(order))).to.equal('amount_not_published');
    expect(signed).to.have.length(0);
  });

  it('/llms.txt that changes its payee is believed once', async () => {
    const trick: Trick = {
      llms: (text, n) => (n === 0 ? text : text.replaceAll(HONEST_PAYEE, THIEF)),
      accepts: (entry, n) => [n === 0 ? entry : { ...entry, payTo: THIEF }],
    };
    server = await startHostileServer(trick, 'v2');
    const { account, signed } = watchedAccount();
    const ledger = memoryState(clientSystem.clock);
    expect(await endOf(clientFor(account, 'v2', { ledger }).verdict(order))).to.equal('answered');
    const later = clientFor(account, 'v2', { ledger });
    for (const usd of [2, 3]) expect(await endOf(later.verdict({ ...order, usd }))).to.equal('payee_changed');
    expect(signed.map(breachOf)).to.deep.equal([null]);
    const received = clientFor(account, 'v2', { ledger, limits: { payTo: THIEF } });
    expect(await endOf(received.verdict({ ...order, usd: 4 }))).to.equal('answered');
  });

  it('/llms.txt that changes its payee while a client runs is noticed within five minutes', async () => {
    let payee = HONEST_PAYEE;
    const trick: Trick = {
      llms: (text) => text.replaceAll(HONEST_PAYEE, payee),
      accepts: (entry) => [{ ...entry, payTo: payee }],
    };
    server = await startHostileServer(trick, 'v2');
    let elapsedMs = 0;
    const clock = { ...clientSystem.clock, elapsedMs: () => elapsedMs };
    const { account, signed } = watchedAccount();
    const preflight = clientFor(account, 'v2', { system: { ...clientSystem, clock } });
    expect(await endOf(preflight.verdict(order))).to.equal('answered');
    payee = THIEF;
    elapsedMs = 300_000 - 1;
    expect(await endOf(preflight.verdict({ ...order, usd: 2 })), 'by the demand alone').to.equal('payee_mismatch');
    elapsedMs++;
    expect(await endOf(preflight.verdict({ ...order, usd: 3 }))).to.equal('payee_changed');
    expect([server.seen.llms, signed.length]).to.deep.equal([2, 1]);
  });

  it('plain http to another machine is refused before anything is sent', async () => {
    const { account } = watchedAccount();
    const fetch = () => expect.fail('something was sent');
    const preflight = new Preflight({ baseUrl: 'http://preflight.example', account, fetch });
    expect(await endOf(preflight.verdict(order))).to.equal('insecure_transport');
    const token = new Preflight({ baseUrl: 'http://preflight.example', token: `tk_${account.address}_x`, fetch });
    for (let n = 0; n < 2; n++) {
      const error = await token.verdict(order).catch((caught: unknown) => caught);
      expect(error, `call ${n}`).to.include({ rule: 'insecure_transport', charged: 'nothing', purchaseId: undefined });
      expect((error as PreflightError).next).to.match(/^Nothing was sent/);
    }
  });

  it('nothing is signed while the budget or the journal cannot be written', async () => {
    server = await startHostileServer({}, 'v2');
    const full = () => Promise.reject(new Error('ENOSPC: no space left on device'));
    const state = memoryState(clientSystem.clock);
    for (const ledger of [
      { ...state, ledger: { ...state.ledger, claim: full } },
      { ...state, journal: { ...state.journal, begin: full } },
      { ...state, journal: { ...state.journal, find: full } },
      { ...state, pins: { pin: full } },
    ]) {
      const { account, signed } = watchedAccount();
      expect(await endOf(clientFor(account, 'v2', { ledger }).verdict(order))).to.equal('ledger_unavailable');
      expect(signed).to.have.length(0);
    }
    // What is signed and cannot be recorded is never sent.
    const { account } = watchedAccount();
    const ledger = { ...state, journal: { ...state.journal, save: full } };
    expect(await endOf(clientFor(account, 'v2', { ledger }).verdict(order))).to.equal('ledger_unavailable');
    expect(server.seen.paid).to.equal(0);
  });

  it('names the rule, the fact that it expected and the fact that it found', async () => {
    server = await startHostileServer(CATEGORIES.find(({ name }) => name === 'recipient_redirect')!, 'v2');
    const { account } = watchedAccount();
    const error = await clientFor(account, 'v2')
      .verdict(order)
      .catch((caught) => caught);
    expect(error).to.include({ rule: 'payee_mismatch', expected: HONEST_PAYEE, found: THIEF, charged: 'nothing' });
    expect(DEFAULT_LIMITS.perCallMicros).to.equal(100_000n);
  });
});
