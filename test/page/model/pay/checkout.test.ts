import { effect } from '@preact/signals';
import { expect } from 'chai';
import { memoryState } from '#client/state/memory';
import type { AnnouncedWallet } from '#page/model/pay/announced-wallets';
import { sameWanted, type Wanted, wantedBy } from '#page/model/pay/bought';
import { Checkout } from '#page/model/pay/checkout';
import type { CheckoutStep } from '#page/model/pay/checkout-step';
import { openPurchases } from '#page/model/pay/open-purchases';
import { tabStorage } from '../support/open-purchase.js';
import { ORIGIN, paidOrigin, waitedTime } from '../support/paid-origin.js';

/** What is waited for takes milliseconds. */
const WAIT_MS = 60_000;
const LIST: Wanted = { tool: 'leaderboard', args: {} };
const COPY: Wanted = { tool: 'preflight_copy', args: { wallet: `0x${'ab'.repeat(20)}`, evidence: '1' } };
const REFUSED = { error: 'it is not stored', code: 'evidence_unavailable' };
const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });

describe('paying in a page', () => {
  /**
   * A page on a service that answers payments so, with a wallet that signs unless it is told
   * otherwise.
   */
  function newPage(answerPaid: Parameters<typeof paidOrigin>[0], sign: () => Promise<string> = async () => '0xsigned') {
    const storage = tabStorage();
    const requested: string[] = [];
    const answers: unknown[] = [];
    const system = waitedTime();
    const { ledger } = memoryState(system.clock);
    const newCheckout = () =>
      new Checkout({
        baseUrl: ORIGIN,
        storage,
        ledger,
        system,
        fetch: paidOrigin(answerPaid),
        onAnswer: ({ body }) => answers.push(body),
      });
    const request: AnnouncedWallet['provider']['request'] = async ({ method }) => {
      requested.push(method);
      if (method === 'eth_requestAccounts') return [`0x${'cc'.repeat(20)}`];
      return method === 'eth_chainId' ? '0x2105' : sign();
    };
    const wallet: AnnouncedWallet = { uuid: 'a', name: 'a wallet', provider: { request } };
    const signatures = () => requested.filter((method) => method === 'eth_signTypedData_v4').length;
    return { storage, asked: requested, answers, system, newCheckout, wallet, signatures };
  }

  /**
   * Waits for what a checkout does by itself: by the clock, because what it signs is hashed by
   * threads that others keep busy.
   */
  function until({ step }: Checkout, kind: CheckoutStep['kind']): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${step.value.kind} never became ${kind}`)), WAIT_MS);
      const end = effect(() => {
        if (step.value.kind !== kind) return;
        clearTimeout(late);
        // The effect runs once before `end` is known.
        queueMicrotask(() => resolve(end()));
      });
    });
  }

  it('asks no wallet before the terms are shown', async () => {
    const page = newPage(() => json({ ok: true, wallets: [] }));
    const checkout = page.newCheckout();
    await checkout.pay(LIST, page.wallet);
    expect(page.asked).to.deep.equal([]);
    await checkout.askTerms(LIST);
    const step = checkout.step.value;
    expect(step.kind === 'terms' && step.terms.amount).to.equal('0.02 USDC');
    await checkout.pay(LIST, page.wallet);
    expect(checkout.step.value.kind).to.equal('answered');
    expect(page.storage.kept.size).to.equal(0);
  });

  it('signs once and never again when the outcome is not told, and says in the end that it may have been charged', async () => {
    const sent = new Set<string>();
    const page = newPage(({ payment }) => {
      sent.add(payment);
      return new Response('<h1>Bad gateway</h1>', { status: 502 });
    });
    const checkout = page.newCheckout();
    await checkout.askTerms(LIST);
    await checkout.pay(LIST, page.wallet);
    await until(checkout, 'unknown');
    expect(openPurchases(page.storage)).to.have.length(1);
    await until(checkout, 'failed');
    const step = checkout.step.value;
    expect(step.kind === 'failed' && step.failure.charged).to.equal('unknown');
    expect([page.signatures(), sent.size]).to.deep.equal([1, 1]);
    expect(page.storage.kept.size).to.equal(0);
  });

  it('keeps the payment open when the page shows something else before the answer, and gets it with the same one', async () => {
    const sent: string[] = [];
    let isReceived = false;
    const page = newPage(({ payment, signal }) => {
      sent.push(payment);
      if (isReceived) return json({ ok: true, wallets: [] });
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
    });
    const first = page.newCheckout();
    await first.askTerms(LIST);
    const paying = first.pay(LIST, page.wallet);
    await until(first, 'sending');
    while (sent.length === 0) await new Promise(setImmediate);
    first.end();
    await paying;
    expect(page.answers).to.deep.equal([]);
    isReceived = true;
    const second = page.newCheckout();
    await second.resume(openPurchases(page.storage)[0]!);
    expect(page.answers).to.deep.equal([{ ok: true, wallets: [] }]);
    expect([page.signatures(), new Set(sent).size, page.storage.kept.size]).to.deep.equal([1, 1, 0]);
  });

  it('counts what was spent in all its places against one daily limit', async () => {
    const page = newPage(() => json({ ok: true, verdict: 'WATCH' }));
    const buy = async (wallet: string) => {
      const wanted: Wanted = { tool: 'preflight_copy', args: { wallet } };
      const checkout = page.newCheckout();
      await checkout.askTerms(wanted);
      await checkout.pay(wanted, page.wallet);
      return checkout.step.value;
    };
    for (let at = 10; at < 30; at++) expect((await buy(`0x${String(at).repeat(20)}`)).kind).to.equal('answered');
    const step = await buy(`0x${'30'.repeat(20)}`);
    expect(step.kind === 'failed' && step.failure.rule?.name).to.equal('daily_cap');
    expect([page.signatures(), page.storage.kept.size]).to.deep.equal([20, 0]);
  });

  it('waits for a wallet only as long as the person wants, and leaves nothing open', async () => {
    const page = newPage(
      () => expect.fail('nothing may be sent'),
      () => new Promise(() => {}),
    );
    const checkout = page.newCheckout();
    await checkout.askTerms(LIST);
    const paying = checkout.pay(LIST, page.wallet);
    while (page.signatures() === 0) await new Promise(setImmediate);
    checkout.giveUp();
    await paying;
    const step = checkout.step.value;
    expect(step.kind === 'failed' && step.failure.title).to.match(/You declined/);
    expect(page.storage.kept.size).to.equal(0);
  });

  it('asks again about a queued wallet with the same payment, and signs no other one by itself', async () => {
    const queued = { ok: true, verdict: 'QUEUED', retry_after_seconds: 30 };
    let left = 2;
    const page = newPage(() => (left-- > 0 ? json(queued, 202) : json({ ok: true, verdict: 'WATCH' })));
    const checkout = page.newCheckout();
    await checkout.askTerms(COPY);
    await checkout.pay(COPY, page.wallet);
    expect(page.answers.map((body) => (body as { verdict: string }).verdict)).to.deep.equal([
      'QUEUED',
      'QUEUED',
      'WATCH',
    ]);
    expect(page.signatures()).to.equal(1);

    left = 100;
    const lapsed = page.newCheckout();
    await lapsed.askTerms(COPY);
    await lapsed.pay(COPY, page.wallet);
    const step = lapsed.step.value;
    expect(step.kind === 'failed' && step.failure.title).to.equal('The rating is not ready yet.');
    expect([page.signatures(), page.storage.kept.size]).to.deep.equal([2, 0]);
  });

  it('asks without evidence when that is refused, with the same payment and no other signature', async () => {
    const sent: string[] = [];
    let hasEvidence = true;
    const page = newPage(({ payment, url }) => {
      hasEvidence = url.searchParams.has('evidence');
      sent.push(payment);
      return hasEvidence ? json(REFUSED, 500) : json({ ok: true, verdict: 'WATCH' });
    });
    const checkout = page.newCheckout();
    await checkout.askTerms(COPY);
    await checkout.pay(COPY, page.wallet);
    expect(checkout.step.value.kind).to.equal('answered');
    expect(page.answers).to.deep.equal([{ ok: true, verdict: 'WATCH' }]);
    expect([sent.length, new Set(sent).size, page.signatures()]).to.deep.equal([2, 1, 1]);
    expect(page.storage.kept.size).to.equal(0);
  });

  it('goes on without evidence after a reload that came in between', async () => {
    const asked: boolean[] = [];
    let isLost = true;
    const page = newPage(({ url, signal }) => {
      asked.push(url.searchParams.has('evidence'));
      if (url.searchParams.has('evidence')) return json(REFUSED, 500);
      if (!isLost) return json({ ok: true, verdict: 'WATCH' });
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
    });
    const first = page.newCheckout();
    await first.askTerms(COPY);
    const paying = first.pay(COPY, page.wallet);
    while (asked.length < 2) await new Promise(setImmediate);
    first.end();
    await paying;
    isLost = false;
    const [open] = openPurchases(page.storage);
    expect(sameWanted(wantedBy(open!.request)!, COPY)).to.equal(true);
    await page.newCheckout().resume(open!);
    expect(page.answers).to.deep.equal([{ ok: true, verdict: 'WATCH' }]);
    expect([asked, page.signatures()]).to.deep.equal([[true, false, false], 1]);
    expect(page.storage.kept.size).to.equal(0);
  });

  it('asks without evidence from credits as well, of which only the answer takes some', async () => {
    const keys: (string | null)[] = [];
    const page = newPage(({ url, idempotencyKey }) => {
      keys.push(idempotencyKey);
      return url.searchParams.has('evidence') ? json(REFUSED, 500) : json({ ok: true, verdict: 'WATCH' });
    });
    const checkout = page.newCheckout();
    await checkout.spend(COPY, `tk_0x${'cc'.repeat(20)}_secret`);
    expect(checkout.step.value.kind).to.equal('answered');
    expect(page.answers).to.have.length(1);
    expect(keys).to.have.length(2);
    expect(page.storage.kept.size).to.equal(0);
  });

  it('asks without evidence once, whatever comes of that', async () => {
    const sent: string[] = [];
    const page = newPage(({ url }) => {
      sent.push(url.search);
      return json(REFUSED, 500);
    });
    const checkout = page.newCheckout();
    await checkout.askTerms(COPY);
    await checkout.pay(COPY, page.wallet);
    expect(sent).to.have.length(2);
    const step = checkout.step.value;
    expect(step.kind === 'failed' && step.failure.charged).to.equal('unknown');
    expect(page.signatures()).to.equal(1);
  });

  it('takes what was chosen to pay with, though an earlier payment for the same wallet is open', async () => {
    const sent: string[] = [];
    let isRefusing = true;
    const page = newPage(({ payment, url }) => {
      sent.push(payment);
      return isRefusing || url.searchParams.has('evidence') ? json(REFUSED, 500) : json({ ok: true, verdict: 'WATCH' });
    });
    const checkout = page.newCheckout();
    await checkout.askTerms(COPY);
    await checkout.pay(COPY, page.wallet);
    expect(openPurchases(page.storage)).to.have.length(1);
    isRefusing = false;
    sent.length = 0;
    await checkout.spend(COPY, `tk_0x${'cc'.repeat(20)}_secret`);
    expect(checkout.step.value.kind).to.equal('answered');
    expect(sent).to.have.length(2);
    for (const payment of sent) expect(payment).to.match(/^Bearer tk_/);
  });
});
