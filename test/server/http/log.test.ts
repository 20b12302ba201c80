import { expect } from 'chai';
import { Problem } from '#domain/errors';
import { CONSTANT_ANSWER, type Door, OWNER, openDoor, WALLET } from './support/door.js';
import { exchange } from './support/raw-exchange.js';

const CANARY = 'canary-7f3a';

describe('log of the door', () => {
  let door: Door;
  let failure: Error | null = null;
  before(async () => {
    door = await openDoor({
      handler: async () => {
        if (failure !== null) throw failure;
        return CONSTANT_ANSWER;
      },
    });
  });
  after(() => door.stop());
  const lines = () => door.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has one line for each request, with ids and figures only', async () => {
    const before = door.logLines.length;
    const response = await door.order('slug=a');
    await fetch(`${door.url}/nowhere/${CANARY}`);
    const [first, second, ...more] = lines().slice(before);
    expect(more).to.deep.equal([]);
    expect(first).to.include({ method: 'GET', route: '/api/preflight_trade', status: 200, msg: 'answered', level: 20 });
    expect(first!.requestId).to.equal(response.headers.get('x-request-id'));
    expect(first!.ms).to.be.a('number');
    expect(second).to.include({ route: 'none', status: 404, level: 20 });
  });

  it('never shows a token, a payment, a key, a query or a body', async () => {
    const secrets = {
      Authorization: `Bearer ${CANARY}`,
      'PAYMENT-SIGNATURE': CANARY,
      'X-PAYMENT': CANARY,
      'Idempotency-Key': CANARY,
      Cookie: CANARY,
    };
    const body = JSON.stringify({ code: CANARY, wallet: WALLET, [CANARY]: CANARY });
    const json = { ...secrets, 'Content-Type': 'application/json' };
    for (const path of ['/api/preflight_trade', '/api/credits', '/api/redeem', `/${CANARY}`]) {
      await fetch(`${door.url}${path}?slug=${CANARY}&token=${CANARY}`, { headers: secrets });
      await fetch(`${door.url}${path}`, { method: 'POST', headers: json, body });
      await fetch(`${door.url}${path}`, { method: 'POST', headers: json, body: `{"${CANARY}` });
      await exchange(door.port, `GET ${path}?${CANARY} HTTP/1.1\r\n${CANARY} : ${CANARY}\r\n\r\n`);
    }
    await door.order(`slug=${CANARY}`, { 'Idempotency-Key': CANARY });
    const written = door.logLines.join('');
    expect(written).not.to.include(CANARY);
    expect(written).not.to.include(door.token);
    expect(written).not.to.include(door.token.slice(-43));
  });

  it('tells operators of a failure what callers are not told, under one request id', async () => {
    failure = new Error('the disk is on fire');
    const response = await door.order('slug=a');
    failure = null;
    expect(response.status).to.equal(500);
    const body = (await response.json()) as { error: string };
    const requestId = response.headers.get('x-request-id')!;
    expect(body).to.include({ code: 'internal_error' });
    expect(body.error).to.include(requestId).and.not.include('fire');
    const received = lines().find((line) => line.level === 50);
    expect(received).to.include({ requestId, tool: 'preflight_trade' });
    expect(received!.err).to.include({ message: 'the disk is on fire' });
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(498);
  });

  it('passes an expected no on as it is, uncharged', async () => {
    failure = new Problem('outcome_required', 'name an outcome', { candidates: ['Yes', 'No'] });
    const wrong = await door.order('slug=a');
    failure = new Problem('venue_unavailable', 'the venue is away', { retryAfterS: 3 });
    const away = await door.order('slug=a');
    failure = null;
    expect(wrong.status).to.equal(400);
    expect(await wrong.json()).to.deep.equal({
      error: 'name an outcome',
      code: 'outcome_required',
      doc: '/llms.txt#outcome_required',
      candidates: ['Yes', 'No'],
    });
    expect(away.status).to.equal(500);
    expect(away.headers.get('retry-after')).to.equal('3');
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(498);
  });
});
