import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../process/make-folder.js';
import { createWholeFile } from './whole-file.js';

/** What is kept of a key: all but its private part, which has a file of its own. */
export interface StoredKey {
  readonly number: number;
  readonly kid: string;
  readonly x: string;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
}

const KEY_FILE = /^(\d{1,9})\.json$/;
const PRIVATE_FILE = /^([\w-]+)\.private\.pem$/;

/**
 * Keys as files that are made and removed, but never changed: `1.json`, `2.json`, … are the public
 * keys in their order, `<kid>.private.pem` is the private part of the newest, `1.revoked.json` says
 * that a key is revoked. A file appears whole or not at all and only once, so processes that share
 * the folder need no lock.
 */
export class KeyFolder {
  readonly #path: string;

  /** Makes the folder, for its owner alone. */
  constructor(path: string) {
    this.#path = path;
    makeFolder(path, 0o700);
  }

  /**
   * Changes whenever a key is added or revoked. By names, because the folder's own time is too
   * coarse.
   */
  version(): string {
    return readdirSync(this.#path)
      .filter((name) => name.endsWith('.json'))
      .join();
  }

  /** The keys, the oldest first. */
  list(): readonly StoredKey[] {
    const numbers = readdirSync(this.#path).flatMap((name) => KEY_FILE.exec(name)?.[1] ?? []);
    return numbers
      .map(Number)
      .toSorted((a, b) => a - b)
      .map((number) => this.#read(number));
  }

  /**
   * Adds a key as number `number`, unless there is one of this number already: then that one
   * stands.
   */
  add(number: number, key: Omit<StoredKey, 'number' | 'revokedAtMs'>, privatePem: string): void {
    const privateName = `${key.kid}.private.pem`;
    this.#create(privateName, privatePem);
    const { kid, x, createdAtMs: created_at_ms } = key;
    const isFirst = this.#create(`${number}.json`, JSON.stringify({ version: 1, kid, x, created_at_ms }));
    if (!isFirst) rmSync(join(this.#path, privateName));
  }

  revoke(number: number, revokedAtMs: number): void {
    this.#create(`${number}.revoked.json`, JSON.stringify({ version: 1, revoked_at_ms: revokedAtMs }));
  }

  /** Returns the private part of a key in PEM, or null if it is not kept any more. */
  privatePem(kid: string): string | null {
    const path = join(this.#path, `${kid}.private.pem`);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  }

  /** Removes every private part but that of one key. */
  forgetPrivateBut(kid: string): void {
    for (const name of readdirSync(this.#path)) {
      const found = PRIVATE_FILE.exec(name)?.[1];
      if (found !== undefined && found !== kid) rmSync(join(this.#path, name), { force: true });
    }
  }

  #read(number: number): StoredKey {
    const { kid, x, created_at_ms: createdAtMs } = this.#fields(`${number}.json`);
    if (typeof kid !== 'string' || typeof x !== 'string' || typeof createdAtMs !== 'number') {
      throw new Error(`${join(this.#path, `${number}.json`)} is not a key`);
    }
    return { number, kid, x, createdAtMs, revokedAtMs: this.#revocationOf(number) };
  }

  /** A revocation counts even if its moment cannot be read. */
  #revocationOf(number: number): number | null {
    const name = `${number}.revoked.json`;
    if (!existsSync(join(this.#path, name))) return null;
    const { revoked_at_ms: revokedAtMs } = this.#fields(name);
    return typeof revokedAtMs === 'number' ? revokedAtMs : 0;
  }

  #fields(name: string): Readonly<Record<string, unknown>> {
    return JSON.parse(readFileSync(join(this.#path, name), 'utf8'));
  }

  #create(name: string, text: string): boolean {
    return createWholeFile(join(this.#path, name), text);
  }
}
