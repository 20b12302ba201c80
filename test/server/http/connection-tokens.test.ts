import http from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { parseWallet } from '#domain/ids';
import { type Door, OWNER, openDoor } from './support/door.js';

const OTHER = parseWallet(`0x${'cd'.repeat(20)}`)!;

/** A proxy sends the calls of many callers over one connection. */
describe('calls over one connection', () => {
  let door: Door;
  let agent: http.Agent;
  beforeEach(async () => {
    door = await openDoor({ credits: 10 });
    agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(async () => {
    agent.destroy();
    await door.stop();
  });

  async function order(token: string | null) {
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get(`${door.url}/api/preflight_trade?slug=a`, { agent, headers }, resolve).on('error', reject);
    });
    const { localPort: port } = response.socket;
    const body = (await json(response)) as { readonly code?: string; readonly paid?: { credits_remaining: number } };
    return { port, said: body.paid?.credits_remaining ?? body.code };
  }

  it('are each paid by the token that it came with, whatever the one before it had', async () => {
    const other = (await door.credits.grant(OTHER, 5, 30, 'test')).token!;
    const forged = `${door.token.slice(0, -1)}${door.token.endsWith('A') ? 'E' : 'A'}`;
    const ports = new Set<number | undefined>();
    const said: unknown[] = [];
    for (const token of [door.token, other, forged, door.token, null, door.token, other]) {
      const answer = await order(token);
      ports.add(answer.port);
      said.push(answer.said);
    }
    expect(said).to.deep.equal([9, 4, 'invalid_token', 8, 'payment_required', 7, 3]);
    expect(ports.size, 'connections').to.equal(1);
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(7);
  });

  it('are refused from the moment that their token is revoked', async () => {
    expect([(await order(door.token)).said, (await order(door.token)).said]).to.deep.equal([9, 8]);
    await door.credits.revokeTokens({ token: door.token });
    expect((await order(door.token)).said).to.equal('invalid_token');
  });
});
