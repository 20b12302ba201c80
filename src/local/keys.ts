import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';

const key = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);

/** An address of the local profile with its private key. */
interface LocalWallet {
  readonly address: Address;
  readonly privateKey: Hex;
}

/** Who is paid, and who pays, in the local profile. */
export interface LocalKeys {
  readonly payee: LocalWallet;
  readonly demoWallet: LocalWallet;
}

/** Returns the wallets of the local profile. */
export function openLocalKeys(file: string): LocalKeys {
  const keys = openKeys(file, ['payee', 'demoWallet']);
  return { payee: toWallet(keys.payee), demoWallet: toWallet(keys.demoWallet) };
}

/**
 * Returns the private keys kept in the file, made by chance on the first start and readable by
 * their owner alone.
 */
export function openKeys<Name extends string>(file: string, names: readonly Name[]): Readonly<Record<Name, Hex>> {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writePrivately(file, Object.fromEntries(names.map((name) => [name, generatePrivateKey()])));
  }
  return z.record(z.enum(names), key).parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Writes JSON that only the owner may read, also if the file was there before. */
export function writePrivately(file: string, value: object): void {
  // Scripts read it while it is written anew: it is the one or the other, never half.
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

function toWallet(privateKey: Hex): LocalWallet {
  return { address: privateKeyToAccount(privateKey).address, privateKey };
}
