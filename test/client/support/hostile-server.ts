import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { paymentOffer } from '#api/operations';
import { BUILT_IN_TOOLS } from '#client/stdio/tools';
import { llmsTxt } from '#discovery/llms-txt';
import { USDC_ON_BASE } from '#domain/payment/payment';
import { ONE_KEY } from '#test/support/discovery';
import { listen } from '#test/support/listen';
import { toPaymentRequired, toPaymentRequiredV1 } from '#wire/x402/x402';

/** How a demand comes, and how it is answered. */
export const FORMS = ['v2', 'v1', 'mcp'] as const;
export type Form = (typeof FORMS)[number];

const PRODUCTS = ['preflight_copy', 'leaderboard', 'red_list', 'credits'] as const;
const LIST_TOOLS = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const OWN_TOOLS: readonly Entry[] = JSON.parse(JSON.stringify([...BUILT_IN_TOOLS.values()]));

export const HONEST_PAYEE = '0x1111111111111111111111111111111111111111';
export const THIEF = '0x6666666666666666666666666666666666666666';

// biome-ignore lint/suspicious/noExplicitAny: a hostile server writes whatever it wants.
type Entry = any;

/** What a server does that wants more than it may have. What is left out it does honestly. */
export interface Trick {
  /** Changes the entries of a demand; `n` counts the demands from 0. */
  readonly accepts?: (entry: Entry, n: number) => readonly Entry[];
  /** The resource that a demand names. */
  readonly resource?: (url: string) => string;
  /** What a demand says beside its terms. */
  readonly error?: string;
  /** What a demand says to be wrong with the request. */
  readonly fault?: unknown;
  /** /llms.txt; `n` counts from 0. */
  readonly llms?: (text: string, n: number) => string;
  /** The list of tools; `n` counts from 0. */
  readonly tools?: (tools: readonly Entry[], n: number) => unknown;
  /** Answers a request without a payment in another way than by a demand; false: as always. */
  readonly unpaid?: (response: ServerResponse, request: IncomingMessage) => boolean;
  /** Answers a request with a payment; `again` demands once more. */
  readonly paid?: (response: ServerResponse, again: () => void) => void;
}

export interface HostileServer {
  readonly url: string;
  /** Requests by kind. */
  readonly seen: { demands: number; paid: number; llms: number; lists: number };
  close(): Promise<void>;
}

/** Starts a server that behaves as the service does, but for its trick. */
export async function startHostileServer(trick: Trick, form: Form): Promise<HostileServer> {
  const seen = { demands: 0, paid: 0, llms: 0, lists: 0 };
  const server = createServer((request, response) => void serve(request, response));
  const url = `http://127.0.0.1:${await listen(server)}`;
  const config = { baseUrl: url, payeeAddress: HONEST_PAYEE, usdcAddress: USDC_ON_BASE, supportEmail: 'a@b.example' };
  const llms = llmsTxt({ ...config, evidenceKeys: ONE_KEY, clientIntegrity: null }).body;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const path = request.url!.split('?')[0]!;
    if (path === '/llms.txt') return void response.end((trick.llms ?? ((text) => text))(llms, seen.llms++));
    if (body === LIST_TOOLS) {
      return void response.end(rpc({ tools: (trick.tools ?? ((tools) => tools))(OWN_TOOLS, seen.lists++) }));
    }
    const isPaid =
      /payment-signature|x-payment/i.test(Object.keys(request.headers).join()) || body.includes('x402/payment');
    if (!isPaid) {
      if (trick.unpaid?.(response, request)) return;
      return demand(path, response);
    }
    seen.paid++;
    if (trick.paid !== undefined) return trick.paid(response, () => demand(path, response));
    return answer(response, form, { ok: true, verdict: 'OK', reasons: ['fine'] });
  }

  function demand(path: string, response: ServerResponse): void {
    const n = seen.demands++;
    const product = PRODUCTS.find((one) => path === `/api/${one}`) ?? 'preflight_trade';
    const offer = paymentOffer(product, config);
    const resourceUrl = (trick.resource ?? ((received) => received))(offer.resourceUrl);
    const error = trick.error ?? 'payment required';
    const accepts = trick.accepts ?? ((entry) => [entry]);
    const v2 = toPaymentRequired({ ...offer, resourceUrl }, error);
    const v1 = toPaymentRequiredV1({ ...offer, resourceUrl }, error);
    const fault = trick.fault === undefined ? {} : { fault: trick.fault };
    const terms = { ...v2, accepts: accepts(v2.accepts[0], n) };
    if (form === 'mcp' && path === '/mcp') {
      return void response.end(
        rpc({ isError: true, content: [], structuredContent: { ...terms, code: 'payment_required', ...fault } }),
      );
    }
    response.statusCode = 402;
    if (form !== 'v1') response.setHeader('PAYMENT-REQUIRED', Buffer.from(JSON.stringify(terms)).toString('base64'));
    response.end(JSON.stringify({ ...v1, accepts: accepts(v1.accepts[0], n).map(asV1), ...fault }));
  }

  return {
    url,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Answers as the service does, in the form of the door. */
export function answer(response: ServerResponse, form: Form, body: object): void {
  response.end(form === 'mcp' ? rpc({ content: [], structuredContent: body }) : JSON.stringify(body));
}

function rpc(result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result });
}

/** The tricks are written for version 2. */
function asV1({ amount, network, ...entry }: Entry): Entry {
  const named = network === 'eip155:8453' ? 'base' : network;
  return { ...entry, network: named ?? entry.network, maxAmountRequired: amount ?? entry.maxAmountRequired };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
