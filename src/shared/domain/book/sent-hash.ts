/**
 * The hash of a book as the venue sent it: a SHA-1 in its 20 bytes, because nearly none of them is
 * ever read as text; or the text, of whatever form.
 */
export type SentHash = PackedSha1 | string;

/** A SHA-1 in five integers of 32 bits. */
export class PackedSha1 {
  constructor(
    readonly a: number,
    readonly b: number,
    readonly c: number,
    readonly d: number,
    readonly e: number,
  ) {}

  /** 40 hexadecimal digits in lower case. */
  get text(): string {
    return [this.a, this.b, this.c, this.d, this.e].map(hexOf).join('');
  }
}

/** Returns the hash as the venue wrote it. */
export function hashText(hash: SentHash): string {
  return typeof hash === 'string' ? hash : hash.text;
}

function hexOf(part: number): string {
  return (part >>> 0).toString(16).padStart(8, '0');
}
