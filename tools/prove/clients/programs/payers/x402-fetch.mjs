import { createSigner, wrapFetchWithPayment } from 'x402-fetch';
import { byFetch } from './answers.mjs';

export async function open({ privateKey }) {
  return byFetch(wrapFetchWithPayment(fetch, await createSigner('base', privateKey)));
}
