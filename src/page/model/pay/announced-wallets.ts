import type { Eip1193Provider } from '#client/account/eip1193';
import { shown } from '#client/text';
import { asObject } from '#domain/json';

/**
 * A browser wallet that has announced itself (EIP-6963). Its icon is not shown: the page loads
 * pictures of its own only.
 */
export interface AnnouncedWallet {
  readonly uuid: string;
  /** What it calls itself: a stranger's text. */
  readonly name: string;
  readonly provider: Eip1193Provider;
}

const WALLETS_MAX = 16;
const NAME_CHARS_MAX = 40;

/**
 * Returns the wallets with one that has announced itself; the same list if it is no wallet, known
 * already, or too many.
 */
export function withAnnounced(wallets: readonly AnnouncedWallet[], detail: unknown): readonly AnnouncedWallet[] {
  const received = asObject(detail);
  const { uuid, name } = asObject(received?.info) ?? {};
  const provider = received?.provider as Eip1193Provider | null | undefined;
  if (typeof uuid !== 'string' || typeof provider?.request !== 'function') return wallets;
  if (wallets.length >= WALLETS_MAX || wallets.some((one) => one.uuid === uuid)) return wallets;
  return [...wallets, { uuid, name: nameOf(name), provider }];
}

function nameOf(received: unknown): string {
  const name = typeof received === 'string' ? shown(received).trim() : '';
  if (name === '') return 'a wallet without a name';
  return name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX)}…` : name;
}
