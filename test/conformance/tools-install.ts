import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CONFORMANCE = '@modelcontextprotocol/conformance';

/**
 * What is checked with, each set in a folder of its own. The newest conformance suite needs Node 22, which comes with it as a
 * package; 0.1.13 is the last one that runs on Node 20.
 */
const SETS = {
  suite: { [CONFORMANCE]: '0.1.13' },
  newSuite: { [CONFORMANCE]: '0.2.0-alpha.12', node: '22' },
  openapi: { '@redocly/cli': '*', '@stoplight/spectral-cli': '*', '@agentcash/discovery': '*' },
} as const;

type SetName = keyof typeof SETS;

const INSTALL_MS_MAX = 600_000;

/** A conformance suite, and the Node that runs it. */
export interface Suite {
  readonly name: string;
  readonly node: string;
  readonly script: string;
}

/** The tools in a temporary folder: they are no dependencies of this project. */
export interface Tools {
  readonly suite: Suite;
  readonly newSuite: Suite;
  /** Has the OpenAPI tools in its node_modules. */
  readonly openapiDir: string;
  remove(): void;
}

/** Installs the tools from the registry. Rejects where one cannot be had, with what npm said. */
export async function installTools(): Promise<Tools> {
  const dir = mkdtempSync(join(tmpdir(), 'preflight-conformance-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    for (const name of Object.keys(SETS) as SetName[]) await install(join(dir, name), name);
  } catch (error) {
    remove();
    throw error;
  }
  const script = (name: SetName) => join(dir, name, 'node_modules', CONFORMANCE, 'dist/index.js');
  const node22 = join(dir, 'newSuite', 'node_modules/node/bin/node');
  return {
    suite: { name: SETS.suite[CONFORMANCE], node: process.execPath, script: script('suite') },
    newSuite: { name: SETS.newSuite[CONFORMANCE], node: node22, script: script('newSuite') },
    openapiDir: join(dir, 'openapi'),
    remove,
  };
}

async function install(dir: string, name: SetName): Promise<void> {
  mkdirSync(dir);
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ private: true, dependencies: SETS[name] }));
  // The package "node" fetches its binary in an install script; nothing else may run one.
  const scripts = name === 'newSuite' ? [] : ['--ignore-scripts'];
  const args = ['install', '--prefix', dir, '--no-audit', '--no-fund', ...scripts];
  await promisify(execFile)('npm', args, { cwd: dir, timeout: INSTALL_MS_MAX });
}
