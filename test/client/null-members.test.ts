import { expect } from 'chai';
import { type OrderInput, Preflight } from '#client/index';

const BASE_URL = 'http://127.0.0.1:1';
const TOKEN = `tk_0x${'a'.repeat(40)}_${'s'.repeat(43)}`;
const VERDICT = { ok: true, verdict: 'OK', order: { side: 'BUY', usd: 100 }, market: { token_id: '7' } };

describe('the SDK with an order whose members are null', () => {
  for (const door of ['rest', 'mcp'] as const) {
    it(`asks as if they were left out, and takes the answer, by ${door}`, async () => {
      const asked: string[] = [];
      const fetch = async (url: string, { body }: RequestInit) => {
        asked.push(`${url} ${body ?? ''}`);
        return Response.json(door === 'rest' ? VERDICT : { result: { content: [], structuredContent: VERDICT } });
      };
      const preflight = new Preflight({ baseUrl: BASE_URL, token: TOKEN, door, fetch });
      const order = { slug: 'a', outcome: null, usd: null, side: null, token_id: null, limit_price: null };
      const { body } = await preflight.verdict(order as unknown as OrderInput);
      expect(body.verdict).to.equal('OK');
      expect(asked.join()).to.match(/slug/).and.not.match(/null/);
    });
  }
});
