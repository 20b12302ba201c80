import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';

const PATH = '/platform/v2/x402';
const HOST = 'api.cdp.coinbase.com';

/** A key as CDP shows it once, when it is made. */
export interface CdpKeyShown {
  readonly id: string;
  readonly secret: string;
}

/**
 * The facilitator of Coinbase as far as its keys go: it answers only who shows a token that a key
 * of its own has signed, for this very request and not long ago, and hands the rest to another
 * facilitator.
 */
export class Cdp {
  readonly #server: LoopbackServer;
  readonly #keys = new Map<string, KeyObject>();
  /** Requests that were turned away. */
  refused = 0;

  private constructor(server: LoopbackServer, facilitatorUrl: string) {
    this.#server = server;
    server.answer(async ({ method, url, headers, body }, response) => {
      const isKnown = await this.#isSigned(headers.authorization, `${method} ${HOST}${url}`);
      if (!isKnown) {
        this.refused++;
        return sendJson(response, { errorType: 'unauthorized', errorMessage: 'Unauthorized' }, 401);
      }
      const requested = method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body };
      const answer = await fetch(facilitatorUrl + url.slice(PATH.length), { method, ...requested });
      sendJson(response, await answer.json(), answer.status);
    });
  }

  static async standBefore(facilitatorUrl: string): Promise<Cdp> {
    return new Cdp(await startLoopbackServer(), facilitatorUrl);
  }

  /** Where the host of CDP stands here. */
  get standsAt(): string {
    return this.#server.baseUrl;
  }

  get facilitatorUrl(): string {
    return `https://${HOST}${PATH}`;
  }

  newKey(): CdpKeyShown {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { d, x } = privateKey.export({ format: 'jwk' });
    const id = `organizations/o/apiKeys/${randomUUID()}`;
    this.#keys.set(id, publicKey);
    const halves = [d!, x!].map((half) => Buffer.from(half, 'base64url').toString('hex'));
    return { id, secret: Buffer.from(halves.join(''), 'hex').toString('base64') };
  }

  endKey({ id }: CdpKeyShown): void {
    this.#keys.delete(id);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #isSigned(header: string | undefined, request: string): Promise<boolean> {
    const token = header?.replace(/^Bearer /, '') ?? '';
    try {
      const key = this.#keys.get(decodeProtectedHeader(token).kid!);
      const { payload } = await jwtVerify(token, key!, { issuer: 'cdp', maxTokenAge: '2 min' });
      return (payload.uris as readonly string[]).includes(request);
    } catch {
      return false;
    }
  }
}
