import { z } from 'zod';
import { parseWallet, type WalletAddress } from '#domain/ids';
import { readWallet } from '#domain/inputs/wallet-text';
import { addition } from '../addition.js';

/** What an address looks like (docs/interface-wallets.md, "Wallet request"). */
export const WALLET_PATTERN = /^0x[0-9a-fA-F]{40}$/;

/** What is wrong with a text that is no address: it is named if it is known as something else. */
function faultOf(name: string, given: unknown): string {
  const read = typeof given === 'string' ? readWallet(given) : null;
  const form = `${name} must be one EVM address (0x and 40 hexadecimal digits) and nothing else`;
  if (read?.kind === 'address') return `${form}: send ${read.address}`;
  return read?.kind === 'bad' ? `${form}. ${read.problem}` : form;
}

const address = (name: string) => {
  const error = ({ input }: { readonly input?: unknown }) => faultOf(name, input);
  return z.string({ error }).regex(WALLET_PATTERN, { error });
};

/** A wallet that is asked about. */
export interface WalletRequest {
  readonly wallet: WalletAddress;
  /** Adds what the rating was computed from, signed. */
  readonly evidence?: 1;
}

/**
 * The wallet asked about (docs/interface-wallets.md, "Wallet request"): `wallet`, or its alias
 * `user`. Every spelling of an address is the same wallet and comes out in lower case. Unknown keys
 * are refused: there are no size or delay knobs.
 */
export const WalletRequestSchema = z
  .strictObject({
    wallet: address('wallet')
      .optional()
      .describe('Wallet to check: an EVM address, in any case. Not a username. No default.')
      .meta({ examples: ['0x0000000000000000000000000000000000000001'] }),
    user: address('user').optional().describe('Alias of wallet; if both are given, the same address.'),
    evidence: addition('evidence')
      .describe('Adds what it was computed from, signed.')
      .meta({ examples: [true] }),
  })
  .transform(({ wallet, user, evidence }, context): WalletRequest => {
    const requested = parseWallet(wallet ?? user ?? '');
    if (requested !== null && (user === undefined || parseWallet(user) === requested)) {
      return evidence === undefined ? { wallet: requested } : { wallet: requested, evidence };
    }
    const message =
      requested === null
        ? 'give wallet: the EVM address (0x and 40 hexadecimal digits) of the wallet to check'
        : 'wallet and user name different addresses: give one of them';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** Leaderboard and red list take no parameters beside the free switches. */
export const NoParametersSchema = z.strictObject({});
