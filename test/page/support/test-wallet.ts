import type { Page } from 'playwright-core';
import type { Account } from '#test/support/signed-payments';

/** What a wallet in a page was asked, and how it answers. */
export interface TestWallet {
  /** Methods in the order in which they were asked. */
  readonly requested: string[];
  /** Whether the person declines every signature from now on. */
  declines: boolean;
}

/**
 * What a browser wallet is, of what is used here: tests are compiled without the types of a
 * document.
 */
interface WalletPage {
  askTestWallet(method: string, params: string): Promise<{ readonly result?: unknown; readonly code?: number }>;
  addEventListener(name: string, received: () => void): void;
  dispatchEvent(event: object): void;
  readonly CustomEvent: new (name: string, about: { readonly detail: unknown }) => object;
}

const BASE = '0x2105';

/**
 * Puts a wallet into a page, before it is opened: it announces itself (EIP-6963), answers EIP-1193,
 * and signs with a real account. It is there again after a reload.
 */
export async function addTestWallet(page: Page, account: Account, name: string): Promise<TestWallet> {
  const wallet: TestWallet = { requested: [], declines: false };
  await page.exposeFunction('askTestWallet', async (method: string, params: string) => {
    wallet.requested.push(method);
    if (method === 'eth_requestAccounts') return { result: [account.address] };
    if (method === 'eth_chainId') return { result: BASE };
    if (method !== 'eth_signTypedData_v4' || wallet.declines) return { code: 4001 };
    const { EIP712Domain: _, ...types } = typedData(params).types;
    return { result: await account.signTypedData({ ...typedData(params), types } as never) };
  });
  await page.addInitScript(announce, name);
  return wallet;
}

function typedData(params: string): { readonly types: Readonly<Record<string, unknown>> } {
  const [, data] = JSON.parse(params) as [string, string];
  return JSON.parse(data);
}

/** Runs in the page. */
function announce(name: string): void {
  const page = globalThis as unknown as WalletPage;
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const { result, code } = await page.askTestWallet(method, JSON.stringify(params ?? []));
    if (code !== undefined) throw Object.assign(new Error('User rejected the request.'), { code });
    return result;
  };
  const detail = Object.freeze({
    info: { uuid: 'test', name, icon: 'data:,', rdns: 'example.test' },
    provider: { request },
  });
  const say = () => page.dispatchEvent(new page.CustomEvent('eip6963:announceProvider', { detail }));
  page.addEventListener('eip6963:requestProvider', say);
  say();
}
