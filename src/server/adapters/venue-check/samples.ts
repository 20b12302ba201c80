import { SAMPLE_BYTES_MAX, SAMPLES_PER_NAME } from './limits.js';

/** One answer of the venue as it may be shown to others. */
export interface Sample {
  /** Without a path; ".json" is to be added. */
  readonly name: string;
  /** JSON of at most SAMPLE_BYTES_MAX bytes. */
  readonly text: string;
}

/** What people of the venue call themselves, and show of themselves. */
const PERSONAL = new Set([
  ...['name', 'pseudonym', 'bio', 'profileImage', 'profileImageOptimized'],
  ...['profile_image', 'profile_image_optimized'],
]);
const TRANSACTION = /^transaction_?hash$/i;
const WALLET = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g;
/** Descriptions and rules of markets say nothing about forms. */
const TEXT_LENGTH_MAX = 400;
/** Members of a list that are kept: as many as there is room for. */
const LIST_LENGTHS = [1_000, 100, 40, 10, 4, 1];
const CUT = '…';

/** Keeps a few answers of each kind, without what names people, and each small enough for a report. */
export class Samples {
  readonly #kept: { readonly name: string; readonly value: unknown }[] = [];
  readonly #counts = new Map<string, number>();
  readonly #wallets = new Map<string, string>();

  /** Returns them as they may be shown: that takes longer than to keep them, and not everybody asks. */
  written(): readonly Sample[] {
    return this.#kept.map(({ name, value }) => ({ name, text: this.#write(value) }));
  }

  /** `about` says what was asked; `answer` is what came, of any form. */
  keep(name: string, about: Readonly<Record<string, unknown>>, answer: unknown): void {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (count > SAMPLES_PER_NAME) return;
    const value = { ...about, answer: bodyAlone(answer) };
    this.#kept.push({ name: count === 1 ? name : `${name}-${count}`, value });
  }

  /** Returns a text without wallets. One stays the same one throughout, and its form that of a wallet. */
  masked(text: string): string {
    return text.replaceAll(WALLET, (wallet) => this.#maskOf(wallet.toLowerCase()));
  }

  #write(value: unknown): string {
    for (const length of LIST_LENGTHS) {
      const text = JSON.stringify(this.#cleaned(value, '', length), null, 1);
      if (Buffer.byteLength(text) <= SAMPLE_BYTES_MAX) return text;
    }
    return JSON.stringify({ cut: JSON.stringify(this.#cleaned(value, '', 1)).slice(0, SAMPLE_BYTES_MAX / 8) });
  }

  #cleaned(value: unknown, key: string, length: number): unknown {
    if (typeof value === 'string') return this.#cleanText(value, key);
    if (Array.isArray(value)) {
      const shown = value.slice(0, length).map((one) => this.#cleaned(one, key, length));
      return value.length <= length ? shown : [...shown, `${CUT} ${value.length - length} more`];
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#cleaned(one, name, length)]));
  }

  #cleanText(text: string, key: string): string {
    if (text === '') return text;
    if (PERSONAL.has(key)) return CUT;
    if (TRANSACTION.test(key)) return `0x${'0'.repeat(64)}`;
    const masked = this.masked(text);
    return masked.length <= TEXT_LENGTH_MAX ? masked : `${masked.slice(0, TEXT_LENGTH_MAX)}${CUT}`;
  }

  #maskOf(wallet: string): string {
    const mask = this.#wallets.get(wallet) ?? `0x${String(this.#wallets.size + 1).padStart(40, '0')}`;
    this.#wallets.set(wallet, mask);
    return mask;
  }
}

/** The text of an answer repeats its body, and is kept only where that is no JSON. */
function bodyAlone(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('body' in answer) || answer.body === undefined) return answer;
  const { text: _, ...rest } = answer as { text?: unknown };
  return rest;
}
