import { expect } from 'chai';
import { openMcpDoor } from './support/mcp-door.js';
import { ERAS, JSON_RPC } from './support/messages.js';

describe('POST /mcp, many at once', () => {
  it('gives 200 clients with one request id their own answers', async () => {
    const door = await openMcpDoor({
      credits: 1_000,
      run: async (_tool, args) => ({ ok: true, requested: (args as { slug: string }).slug }),
    });
    const ask = async (n: number) => {
      const params = { name: 'preflight_trade', arguments: { slug: `market-${n}` } };
      const { message, headers } = ERAS[n % 2 === 0 ? '2025-11-25' : '2026-07-28']('tools/call', params);
      const answer = await fetch(`${door.url}/mcp`, {
        method: 'POST',
        headers: { ...JSON_RPC, authorization: `Bearer ${door.token}`, ...headers },
        body: JSON.stringify(message),
      });
      const { id, result } = (await answer.json()) as {
        id: number;
        result: { structuredContent: { requested: string } };
      };
      return [id, result.structuredContent.requested];
    };
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    expect(await Promise.all(numbers.map(ask))).to.deep.equal(numbers.map((n) => [1, `market-${n}`]));
    expect(await door.balance()).to.equal(800);
    await door.stop();
  });

  it('charges a call with an Idempotency-Key once, at both doors together', async () => {
    const door = await openMcpDoor();
    const headers = { ...JSON_RPC, authorization: `Bearer ${door.token}`, 'idempotency-key': 'order 7' };
    const params = { name: 'preflight_trade', arguments: { slug: 'a', usd: 25 } };
    const ask = async () => {
      const { message } = ERAS['2025-11-25']('tools/call', params);
      const answer = await fetch(`${door.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
      const { result } = (await answer.json()) as { result: { content: [{ text: string }] } };
      return result.content[0].text;
    };
    const answers = await Promise.all([ask(), ask(), ask()]);
    answers.push(await (await fetch(`${door.url}/api/preflight_trade?slug=a&usd=25`, { headers })).text());
    expect(new Set(answers).size).to.equal(1);
    expect([door.ran.length, await door.balance()]).to.deep.equal([1, 499]);
    await door.stop();
  });

  it('tells operators of a fault of ours, and the caller only where to find it', async () => {
    const door = await openMcpDoor({ run: () => Promise.reject(new Error('disk on fire')) });
    const { message } = ERAS['2025-11-25']('tools/call', { name: 'leaderboard' });
    const headers = { ...JSON_RPC, authorization: `Bearer ${door.token}` };
    const answer = await fetch(`${door.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
    const { result } = (await answer.json()) as { result: { structuredContent: { code: string; error: string } } };
    expect(result.structuredContent.code).to.equal('internal_error');
    expect(result.structuredContent.error).to.include(answer.headers.get('x-request-id'));
    expect(result.structuredContent.error).to.not.include('fire');
    expect(door.logLines.join('')).to.include('disk on fire');
    expect(await door.balance()).to.equal(500);
    await door.stop();
  });
});
