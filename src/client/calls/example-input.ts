import type { Parameters } from '../http/requests.js';

/** Slugs and wallets that the service documents examples for, with its switch `sandbox` alone. */
const SLUG = /^\s*sandbox-[a-z]+\s*$/i;
const WALLET = /^\s*0x0{39}[1-9]\s*$/i;

/** Whether a call names a documented example: without a key and a token that is what is meant. */
export function isExampleInput({ slug, wallet, user }: Readonly<Record<string, unknown>>): boolean {
  const owner = wallet ?? user;
  return (typeof slug === 'string' && SLUG.test(slug)) || (typeof owner === 'string' && WALLET.test(owner));
}

/** Returns what is sent for an example. Of an order that is none, nothing is told. */
export function exampleParameters({ slug, outcome, wallet }: Parameters): Parameters {
  const ofOrder = isExampleInput({ slug }) ? { slug, outcome } : {};
  const ofWallet = isExampleInput({ wallet }) ? { wallet } : {};
  return { ...ofOrder, ...ofWallet, sandbox: 1 };
}
