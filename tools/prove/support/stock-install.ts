import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from '#test/support/temp-folder';

/**
 * The middleware that sellers use today, and what its server needs. Newer viem cannot be installed
 * (its `ox` is missing).
 */
const PACKAGE = {
  private: true,
  dependencies: {
    '@x402/core': '2.27.0',
    '@x402/evm': '2.27.0',
    '@x402/express': '2.27.0',
    express: '5.3.0',
    viem: '2.57.1',
  },
  overrides: { viem: '$viem' },
} as const;

export const STOCK_NAME = `@x402/express ${PACKAGE.dependencies['@x402/express']}`;

const INSTALL_MS_MAX = 300_000;

/** The middleware in a folder of its own, or why it cannot be had. */
export type Installed =
  | { readonly kind: 'installed'; readonly dir: string }
  | { readonly kind: 'unavailable'; readonly why: string };

/**
 * Installs the middleware from the registry into a temporary folder: it is no dependency of this
 * project.
 */
export async function installStock(): Promise<Installed> {
  const dir = tempFolder('stock');
  writeFileSync(join(dir, 'package.json'), JSON.stringify(PACKAGE));
  try {
    const args = ['install', '--prefix', dir, '--no-audit', '--no-fund', '--ignore-scripts'];
    await promisify(execFile)('npm', args, { cwd: dir, timeout: INSTALL_MS_MAX });
    return { kind: 'installed', dir };
  } catch (error) {
    return { kind: 'unavailable', why: `${STOCK_NAME} cannot be installed: ${String(error).slice(0, 300)}` };
  }
}
