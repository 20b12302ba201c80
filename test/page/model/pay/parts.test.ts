import { expect } from 'chai';
import type { Purchase } from '#client/state/purchase';
import { typedDataOf } from '#client/terms/authorization';
import type { Demand } from '#client/terms/demand';
import { GuardrailRefused, NotPaid, OutcomeUnknown, ServiceProblem } from '#client/terms/errors';
import { USDC_ON_BASE } from '#domain/payment/payment';
import { type AnnouncedWallet, withAnnounced } from '#page/model/pay/announced-wallets';
import { pageOf, sameWanted, wantedBy } from '#page/model/pay/bought';
import { failureOf } from '#page/model/pay/failure';
import { queuePause } from '#page/model/pay/queue-pause';
import { receiptOf } from '#page/model/pay/receipt';
import { notAsShown, termsOf } from '#page/model/pay/shown-terms';
import { x402Purchase } from '../support/open-purchase.js';

const PAYEE = `0x${'11'.repeat(20)}`;
const NOW_MS = 1_784_000_000_000;
const DEMAND = { amount: '20000', payTo: PAYEE, maxTimeoutSeconds: 120 } as Demand;

describe('what a person is shown before a wallet opens', () => {
  const terms = termsOf(DEMAND);
  const authorization = x402Purchase({ validBeforeS: NOW_MS / 1e3 + 120 }).lane.authorization;
  const signs = (change: Partial<typeof authorization>) =>
    notAsShown(typedDataOf({ ...authorization, ...change }), terms, NOW_MS);

  it('has the amount, the payee, the asset, the network and how long it holds', () => {
    expect(terms).to.deep.include({ amount: '0.02 USDC', payee: PAYEE, asset: USDC_ON_BASE, validS: 120 });
    expect(terms.network).to.equal('Base (eip155:8453)');
  });

  it('is what is signed, and nothing else', () => {
    expect(signs({})).to.equal(null);
    expect(signs({ value: '20001' })).to.match(/another amount/);
    expect(signs({ to: `0x${'22'.repeat(20)}` as never })).to.match(/another payee/);
    expect(signs({ validBefore: String(NOW_MS / 1e3 + 121) })).to.match(/longer time/);
    const data = typedDataOf(authorization);
    const otherAsset = { ...data, domain: { ...data.domain, verifyingContract: PAYEE as `0x${string}` } };
    expect(notAsShown(otherAsset, terms, NOW_MS)).to.match(/another asset/);
    expect(notAsShown({ ...data, domain: { ...data.domain, chainId: 1 } }, terms, NOW_MS)).to.match(/another network/);
  });
});

describe('wallets that announce themselves', () => {
  const provider = { request: async () => null };
  const announce = (info: unknown, wallets: readonly AnnouncedWallet[] = []) =>
    withAnnounced(wallets, { info, provider });

  it('are listed once each, by a name of one line', () => {
    const one = announce({ uuid: 'a', name: `A\u202e\n wallet ${'x'.repeat(100)}` });
    expect(one[0]!.name)
      .to.match(/^A {1,2}wallet x+…$/)
      .and.to.have.length(41);
    expect(announce({ uuid: 'a', name: 'again' }, one)).to.equal(one);
    expect(announce({ uuid: 'b', name: 7 }, one).map(({ name }) => name)[1]).to.equal('a wallet without a name');
  });

  it('are no more than can be chosen from, and nothing that is no wallet', () => {
    let wallets: readonly AnnouncedWallet[] = [];
    for (let n = 0; n < 100; n++) wallets = announce({ uuid: String(n), name: 'w' }, wallets);
    expect(wallets).to.have.length(16);
    for (const detail of [null, 'x', {}, { info: { uuid: 'a', name: 'b' } }, { info: {}, provider }]) {
      expect(withAnnounced([], detail)).to.deep.equal([]);
    }
  });
});

describe('what a request asks for', () => {
  const request = (url: string) => ({ method: 'GET', url, body: null }) as const;

  it('is read from its address, and leads to its page', () => {
    const wanted = wantedBy(request('https://one.example/api/preflight_copy?wallet=0x01'))!;
    expect(wanted).to.deep.equal({ tool: 'preflight_copy', args: { wallet: '0x01' } });
    expect(pageOf(wanted)).to.equal('/wallet?address=0x01');
    expect(pageOf({ tool: 'red_list', args: {} })).to.equal('/wallets');
    expect(pageOf({ tool: 'preflight_trade', args: {} })).to.equal('/');
  });

  it('is nothing when no tool is asked', () => {
    for (const url of ['https://one.example/api/credits', 'nonsense']) expect(wantedBy(request(url))).to.equal(null);
  });

  it('is the same in any order of its parameters', () => {
    const order = (args: Record<string, string>) => ({ tool: 'preflight_trade', args }) as const;
    expect(sameWanted(order({ slug: 'a', usd: '5' }), order({ usd: '5', slug: 'a' }))).to.equal(true);
    expect(sameWanted(order({ slug: 'a', usd: '5' }), order({ slug: 'a', usd: '6' }))).to.equal(false);
  });
});

describe('what is said of a failure', () => {
  it('names the rule that refused, what it expects and what was there', () => {
    const fault = { rule: 'payee_mismatch', expected: PAYEE, found: '0x2' } as const;
    expect(failureOf(new GuardrailRefused(fault))).to.deep.include({
      rule: { name: 'payee_mismatch', expected: PAYEE, found: '0x2' },
      charged: 'nothing',
    });
  });

  it('does not say that no wallet was asked when a second demand came after a payment', () => {
    const facts = { expected: 'one demand', found: 'another' };
    const textOf = (rule: 'too_many_demands' | 'payee_mismatch') =>
      failureOf(new GuardrailRefused({ rule, ...facts })).text;
    expect(textOf('payee_mismatch')).to.match(/not asked to sign/);
    expect(textOf('too_many_demands')).to.match(/A payment was sent/);
  });

  it('knows a person who declined, however deep the wallet hides it', () => {
    const cause = Object.assign(new Error('User rejected'), { code: 4001 });
    const error = new NotPaid('the account did not sign', { charged: 'nothing', next: 'x', cause });
    expect(failureOf(error).title).to.match(/You declined/);
  });

  it('does not say that nothing was charged when nobody knows', () => {
    expect(failureOf(new OutcomeUnknown('7', 'no answer')).charged).to.equal('unknown');
  });

  it('says each thing once', () => {
    const facts = {
      code: 'rate_limited',
      status: 429,
      charged: 'nothing',
      next: 'Try again later',
      retryAfterS: 30,
    } as const;
    const { title, text, next } = failureOf(new ServiceProblem('too many', facts));
    expect([title, text, next]).to.deep.equal([
      'The service said no (429, rate_limited).',
      'too many.',
      'Try again in 30 s.',
    ]);
  });
});

describe('the pause of a queued wallet', () => {
  const queued = (retry: unknown) => ({ verdict: 'QUEUED', retry_after_seconds: retry });
  const purchase = (leftS: number): Purchase => x402Purchase({ validBeforeS: NOW_MS / 1e3 + leftS });

  it('is as long as the service says, within bounds', () => {
    expect(queuePause(queued(5), purchase(120), NOW_MS)).to.deep.equal({ askAtMs: NOW_MS + 5_000, withSame: true });
    expect(queuePause(queued(0), undefined, NOW_MS)!.askAtMs).to.equal(NOW_MS + 1_000);
    expect(queuePause(queued(1e9), undefined, NOW_MS)!.askAtMs).to.equal(NOW_MS + 3_600_000);
  });

  it('lasts until the payment is over when it would be too old by then', () => {
    expect(queuePause(queued(60), purchase(80), NOW_MS)).to.deep.equal({ askAtMs: NOW_MS + 141_000, withSame: false });
  });

  it('is none for any other answer', () => {
    expect(queuePause({ verdict: 'COPY' }, purchase(120), NOW_MS)).to.equal(null);
  });
});

describe('the receipt of an answer', () => {
  const answer = (paid: object | undefined, cached = false) =>
    receiptOf({ body: { ok: true, paid }, text: '', lane: 'x402', stale: false, cached });

  it('leads to the transaction, by an address that can be opened and no other', () => {
    const paid = {
      price_paid_usdc: '0.02',
      transaction: '0xab',
      network: 'eip155:8453',
      receipt: 'https://x.example/tx',
    };
    expect(answer(paid)).to.deep.equal({ text: 'Paid 0.02 USDC.', transaction: '0xab', link: 'https://x.example/tx' });
    expect(answer({ ...paid, receipt: 'javascript:alert(1)' }).link).to.equal(null);
  });

  it('says what credits paid, and when nothing was charged', () => {
    expect(answer({ credits_used: 1, credits_remaining: 9 }).text).to.match(/1 of your credits; 9 are left/);
    expect(answer(undefined).text).to.equal('Nothing was charged.');
    expect(answer(undefined, true).text).to.match(/at no cost/);
  });
});
