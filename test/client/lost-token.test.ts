import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { fromEip1193, NotPaid, Preflight, type ServiceProblem } from '#client/index';
import { clientSystem } from '#client/system';
import { type LoopbackServer, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';

const KEY = `0x${'5e'.repeat(32)}` as const;
const account = privateKeyToAccount(KEY);
const wallet = account.address.toLowerCase();
const NOW = '2026-08-01T12:00:00.000Z';
const ISSUED = { ok: true, token: `tk_${wallet}_new`, wallet, balance: 7, expires: '2027-01-01T00:00:00Z', note: '' };

describe('a token that was lost', () => {
  let service: LoopbackServer;
  beforeEach(async () => {
    service = await startLoopbackServer();
  });
  afterEach(() => service.close());

  const client = (more: Partial<ConstructorParameters<typeof Preflight>[0]> = {}) =>
    new Preflight({ baseUrl: service.baseUrl, ...more });
  const json = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const redeemed = (): Promise<ServiceProblem> =>
    client()
      .redeem('CODE', wallet)
      .catch((error) => error);

  describe('on its way from redeem', () => {
    const rows: readonly [what: string, respond: (response: ServerResponse) => unknown][] = [
      ['an answer that breaks off', (response) => response.destroy()],
      ['a proxy that gives up', (response) => response.writeHead(504).end('<html>')],
      ['an answer that is none', (response) => response.writeHead(200).end('<html>')],
    ];
    for (const [what, respond] of rows) {
      it(`may be that of a redeemed code: ${what}`, async () => {
        service.answer((_, response) => respond(response));
        const error = await redeemed();
        expect(error).to.include({ name: 'Problem', charged: 'nothing' });
        expect(error.next)
          .to.match(/code may have been redeemed/)
          .and.to.match(/409.*POST \/api\/credits\/token/);
        expect(error.next).to.not.include('Nothing was paid');
      });
    }

    it('is replaced by a new one, says the no to a second try', async () => {
      service.answer((_, response) => json(response, 409, { error: 'redeemed', code: 'promo_already_redeemed' }));
      expect(await redeemed()).to.include({
        code: 'promo_already_redeemed',
        next: 'Correct the request as the message says. If the token was lost, the key of the wallet gets a new one by POST /api/credits/token (preflight token)',
      });
    });

    it('was none where nobody was asked, or where the service said another no', async () => {
      service.answer((_, response) => json(response, 404, { error: 'no such code', code: 'unknown_promo_code' }));
      expect((await redeemed()).next).to.equal('Correct the request as the message says');
      await service.close();
      const nobody = await redeemed();
      expect([nobody.code, nobody.next]).to.deep.equal(['unreachable', 'Nothing was paid; try again']);
      service = await startLoopbackServer();
    });
  });

  describe('is asked for anew', () => {
    it('by the message that the interface documents, signed by the account, and with no money', async () => {
      service.answer((_, response) => json(response, 200, ISSUED));
      const provider = {
        request: async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
          if (method === 'eth_requestAccounts') return [account.address];
          expect([method, params![1]]).to.deep.equal(['personal_sign', account.address]);
          return account.signMessage({ message: { raw: params![0] as `0x${string}` } });
        },
      };
      const system = { ...clientSystem, clock: new ManualClock(Date.parse(NOW)) };
      const accounts = [account, await fromEip1193(provider), { account, ...signersOf() }];
      for (const one of accounts) expect(await client({ account: one, system }).newToken()).to.deep.equal(ISSUED);
      const nonces = new Set<string>();
      for (const { method, url, body } of service.seen) {
        expect([method, url]).to.deep.equal(['POST', '/api/credits/token']);
        const { nonce, signature, ...rest } = JSON.parse(body);
        expect(rest).to.deep.equal({ wallet, issued_at: NOW });
        expect(nonce).to.match(/^[0-9a-f]{32}$/);
        nonces.add(nonce);
        const message =
          `${new URL(service.baseUrl).host} issues a new token for the credits of this wallet. ` +
          `This costs nothing and moves no funds.\n\nWallet: ${wallet}\nNonce: ${nonce}\nIssued At: ${NOW}`;
        expect(await recoverMessageAddress({ message, signature })).to.equal(account.address);
      }
      expect(nonces.size).to.equal(3);
    });

    /** As a wallet client has them. */
    const signersOf = () => ({
      signTypedData: account.signTypedData,
      signMessage: (data: { readonly message: string }) => account.signMessage(data),
    });

    it('by nobody without an account that signs messages, and then nothing is sent', async () => {
      const { address, signTypedData } = account;
      const refusing = { address, signTypedData, signMessage: () => Promise.reject(new Error('no')) };
      const rows = [
        [{}, /Give an account/],
        [{ token: ISSUED.token }, /Give an account/],
        [{ account: { address, signTypedData } }, /Give an account that signs messages/],
        [{ account: refusing }, /the account did not sign/],
      ] as const;
      for (const [more, says] of rows) {
        const error = await client(more)
          .newToken()
          .catch((caught) => caught);
        expect(error).to.be.an.instanceOf(NotPaid).and.to.include({ charged: 'nothing' });
        expect(error.message).to.match(says);
      }
      expect(service.seen).to.deep.equal([]);
    });

    it('is told by the service why there is none', async () => {
      service.answer((_, response) => json(response, 400, { error: 'no credits left', code: 'invalid_parameter' }));
      const error = await client({ account })
        .newToken()
        .catch((caught) => caught);
      expect(error).to.include({ name: 'Problem', code: 'invalid_parameter', charged: 'nothing' });
    });
  });
});
