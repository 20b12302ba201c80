import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Where anvil is, or the one sentence that says why there is none and what to do. */
export type FoundAnvil =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'unavailable'; readonly why: string };

/**
 * Returns the anvil to run: the one given (ANVIL_BIN), else that of the optional package for this machine. The package is
 * asked for directly, since its wrapper needs an install script that package managers skip.
 */
export function findAnvil(anvilBin: string | null): FoundAnvil {
  if (anvilBin !== null) {
    return existsSync(anvilBin) ? { kind: 'found', path: anvilBin } : missing(`there is no file ${anvilBin}`);
  }
  const machine = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  try {
    const path = createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${machine}/bin/anvil`);
    return { kind: 'found', path };
  } catch {
    return missing(`the package @foundry-rs/anvil-${machine} is not installed`);
  }
}

function missing(what: string): FoundAnvil {
  return {
    kind: 'unavailable',
    why: `The local chain needs anvil, and ${what}: install Foundry and set ANVIL_BIN to the path of its anvil.`,
  };
}
