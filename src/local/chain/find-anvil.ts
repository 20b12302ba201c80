import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Where anvil is, or the one sentence that says why there is none and what to do. */
export type FoundAnvil =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'unavailable'; readonly why: string; readonly package: AnvilPackage | null };

/** The package that brings anvil to a machine, as npm is given it: `name@version`. */
export interface AnvilPackage {
  readonly name: string;
  readonly spec: string;
}

/** The platform and processor of a machine, as Node names them. */
export type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>;

/**
 * The version of anvil that the package.json installs on Linux x64, and the first start elsewhere.
 */
export const ANVIL_VERSION = '1.7.1';
/**
 * Where there is a package with anvil, by platform and processor, and how its processor is called
 * there.
 */
const PACKAGED: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64',
};

/**
 * Returns the anvil to run: the one given (ANVIL_BIN), else that of the package for this machine.
 * The package is asked for directly, since the one for all machines needs an install script, which
 * package managers skip.
 */
export function findAnvil(
  anvilBin: string | null,
  machine: Machine = process,
  resolve: (path: string) => string = createRequire(import.meta.url).resolve,
): FoundAnvil {
  const named = 'install Foundry and set ANVIL_BIN to the path of its anvil';
  if (anvilBin !== null) {
    return existsSync(anvilBin) ? { kind: 'found', path: anvilBin } : missing(`there is no file ${anvilBin}`, named);
  }
  const packaged = PACKAGED[`${machine.platform}-${machine.arch}`];
  if (packaged === undefined)
    return missing(`there is no package of it for ${machine.platform} ${machine.arch}`, named);
  const name = `@foundry-rs/anvil-${packaged}`;
  try {
    return { kind: 'found', path: resolve(`${name}/bin/anvil`) };
  } catch {
    const spec = `${name}@${ANVIL_VERSION}`;
    const remedy = `run npm install --no-save ${spec}, or ${named}`;
    return missing(`the package ${name} is not installed`, remedy, { name, spec });
  }
}

function missing(what: string, remedy: string, packaged: AnvilPackage | null = null): FoundAnvil {
  return { kind: 'unavailable', why: `The local chain needs anvil, and ${what}: ${remedy}.`, package: packaged };
}
