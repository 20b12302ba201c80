import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
  | { readonly kind: 'installed'; readonly dir: string; remove(): void }
  | { readonly kind: 'unavailable'; readonly why: string };

/**
 * Installs the middleware from the registry into a temporary folder: it is no dependency of this
 * project.
 */
export async function installStock(): Promise<Installed> {
  const dir = mkdtempSync(join(tmpdir(), 'preflight-stock-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  writeFileSync(join(dir, 'package.json'), JSON.stringify(PACKAGE));
  try {
    const args = ['install', '--prefix', dir, '--no-audit', '--no-fund', '--ignore-scripts'];
    await promisify(execFile)('npm', args, { cwd: dir, timeout: INSTALL_MS_MAX });
    return { kind: 'installed', dir, remove };
  } catch (error) {
    remove();
    return { kind: 'unavailable', why: `${STOCK_NAME} cannot be installed: ${String(error).slice(0, 300)}` };
  }
}
