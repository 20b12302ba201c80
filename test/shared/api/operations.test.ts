import { expect } from 'chai';
import { OPERATIONS, paymentOffer, type ServedTool } from '#api/operations';
import { CREDIT_COSTS, PRICES, TOOLS } from '#api/prices';
import { gateTool } from '#services/gate/tool';
import { operationAt } from '#wire/x402/x402-extensions';

const TERMS = { baseUrl: 'https://preflight.example', payeeAddress: '0xpayee', usdcAddress: '0xusdc' };
const names = Object.keys(OPERATIONS) as ServedTool[];

describe('the table of operations', () => {
  it('has the four tools of the interface at their paths', () => {
    expect(names).to.have.members([...TOOLS]);
    for (const name of names) expect(OPERATIONS[name].path).to.equal(`/api/${name}`);
  });

  it('takes POST for orders only', () => {
    const byPost = names.filter((name) => (OPERATIONS[name].methods as readonly string[]).includes('POST'));
    expect(byPost).to.deep.equal(['preflight_trade']);
  });

  for (const name of [...names, 'credits'] as const) {
    it(`offers ${name} in words that fit into the terms of a 402`, () => {
      const offer = paymentOffer(name, TERMS);
      expect(operationAt(offer.resourceUrl)).to.equal(name);
      expect(offer.description.length).to.be.within(20, 500);
      expect(offer.description).to.match(/^[ -~]+$/);
      expect(offer).to.include({ operation: name, asset: TERMS.usdcAddress, payTo: TERMS.payeeAddress });
    });
  }

  for (const name of names) {
    it(`sells ${name} at one price in every lane`, () => {
      expect(OPERATIONS[name].credits).to.equal(PRICES[name].credits).and.to.equal(CREDIT_COSTS[name]);
      expect(paymentOffer(name, TERMS).amountMicros).to.equal(PRICES[name].amountMicros);
    });

    it(`shows an example of ${name} that has the form of its answer and was not paid`, () => {
      const example = JSON.parse(OPERATIONS[name].exampleBody);
      expect(OPERATIONS[name].response.parse(example)).to.deep.equal(example);
      expect(example).to.include({ ok: true, sandbox: true });
      expect(example).not.to.have.property('paid');
    });
  }

  it('gives the gate what it needs of every tool', async () => {
    const wallet = `0x${'AB'.repeat(20)}`;
    const tool = gateTool({ ...OPERATIONS.preflight_copy, run: async (requested) => requested });
    const prepared = tool.prepare({ user: wallet });
    expect(prepared.kind === 'ready' && (await prepared.run('127.0.0.1'))).to.deep.equal({
      wallet: wallet.toLowerCase(),
    });
    expect(gateTool({ ...OPERATIONS.leaderboard, run: async () => ({}) }).prepare({}).kind).to.equal('ready');
    expect(gateTool({ ...OPERATIONS.red_list, run: async () => ({}) }).prepare({ a: 1 }).kind).to.equal('invalid');
  });
});
