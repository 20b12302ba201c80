import { exchange } from '#client/http/http';
import { parseObject } from '#client/text';
import { type WalletAnswer, walletAnswer } from '../../model/wallet/answer-kind.js';

const ASK_MS_MAX = 10_000;

/** Asks for the free example of a documented wallet. Never rejects. */
export async function exampleAnswer(wallet: string): Promise<WalletAnswer> {
  const url = `${location.origin}/api/preflight_copy?sandbox=1&wallet=${wallet}`;
  try {
    const signal = AbortSignal.timeout(ASK_MS_MAX);
    const { text } = await exchange((to, init) => fetch(to, init), { method: 'GET', url, body: null }, {}, signal);
    return walletAnswer(parseObject(text));
  } catch {
    return { kind: 'unreadable' };
  }
}
