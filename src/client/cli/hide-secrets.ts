import { UsageError } from './usage-error.js';

/**
 * Keys and tokens never come from an argument: every user of the machine can read those, and shells
 * keep them. What looks like one is refused before it is looked at, and hidden in whatever is said
 * about it.
 */

/** 64 hexadecimal digits, or a token; no argument of any command has such a form. */
const SECRET = /(?:0x)?[0-9a-fA-F]{64,}|tk_0x[0-9a-fA-F]{40}_[\x21-\x7e]+/g;
const HIDDEN = '[hidden]';

/** Returns a text without what looks like a key, a signature or a token. */
export function withoutSecrets(text: string): string {
  return text.replace(SECRET, (found, at: number) =>
    isTokenId(found) || isOpenPurchase(found, text.slice(0, at), text.slice(at + found.length)) ? found : HIDDEN,
  );
}

/**
 * A file of the journal is called by its request, whose name is no secret: its owner has to find
 * it.
 */
function isOpenPurchase(found: string, before: string, after: string): boolean {
  return /^[0-9a-f]{64}$/.test(found) && /[/\\]open[/\\]$/.test(before) && /^\.json(?!\w)/.test(after);
}

/** What the venue calls an order in its refusals. */
const ORDER_ID = /\border 0x[0-9a-fA-F]{64}\b/g;

/** Throws a UsageError if one of the arguments looks like a key or a token. */
export function refuseSecretArguments(args: readonly string[]): void {
  const texts = args.map((arg) => arg.replace(ORDER_ID, 'order'));
  if (texts.every((text) => withoutSecrets(text) === text)) return;
  throw new UsageError(
    'an argument looks like a key or a token: other users of this machine can read it, and your shell keeps it. ' +
      'Nothing was done with it; give it by --key-file or --token-file, and replace it if it is in use',
  );
}

/** A token of the venue's books is decimal digits alone, and nothing that can be spent. */
function isTokenId(text: string): boolean {
  return /^\d+$/.test(text);
}
