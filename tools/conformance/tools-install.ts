import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from '#test/support/temp-folder';
import { LINT_PACKAGES } from './openapi.js';

const CONFORMANCE = '@modelcontextprotocol/conformance';
const INSPECTOR = '@modelcontextprotocol/inspector';

/**
 * What is checked with, each set in a folder of its own. The newest conformance suite and the
 * inspector need Node 22, which comes with them as a package; conformance 0.1.13 is the last one
 * that runs on Node 20.
 */
const SETS = {
  suite: { [CONFORMANCE]: '0.1.13' },
  newSuite: { [CONFORMANCE]: '0.2.0-alpha.12', [INSPECTOR]: '2.12.0', node: '22' },
  openapi: LINT_PACKAGES,
} as const;

type SetName = keyof typeof SETS;

const INSTALL_MS_MAX = 600_000;

/** A tool of a certain version, and the Node that runs it. */
export interface Tool {
  readonly version: string;
  readonly node: string;
  readonly script: string;
}

/** The tools in a temporary folder: they are no dependencies of this project. */
export interface Tools {
  readonly suite: Tool;
  readonly newSuite: Tool;
  readonly inspector: Tool;
  /** Has the OpenAPI tools in its node_modules. */
  readonly openapiDir: string;
}

/** Installs the tools from the registry. Rejects where one cannot be had, with what npm said. */
export async function installTools(): Promise<Tools> {
  const dir = tempFolder('conformance');
  await Promise.all((Object.keys(SETS) as SetName[]).map((name) => install(join(dir, name), name)));
  const scriptOf = (set: SetName, name: string, file: string) => join(dir, set, 'node_modules', name, file);
  const suite = 'dist/index.js';
  const launcher = 'clients/launcher/build/index.js';
  const node = scriptOf('newSuite', 'node', 'bin/node');
  const { [CONFORMANCE]: version, [INSPECTOR]: inspectorVersion } = SETS.newSuite;
  return {
    suite: { version: SETS.suite[CONFORMANCE], node: process.execPath, script: scriptOf('suite', CONFORMANCE, suite) },
    newSuite: { version, node, script: scriptOf('newSuite', CONFORMANCE, suite) },
    inspector: { version: inspectorVersion, node, script: scriptOf('newSuite', INSPECTOR, launcher) },
    openapiDir: join(dir, 'openapi'),
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
