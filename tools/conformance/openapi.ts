import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, soldAt } from '#api/endpoints';
import { runProgram } from '#test/support/run-program';
import { tempFolder } from '#test/support/temp-folder';

/**
 * The linters, at the versions whose verdict is known. They are no dependencies of this project:
 * install them into a folder.
 */
export const LINT_PACKAGES = {
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@agentcash/discovery': '1.7.5',
} as const;

/** What one tool says of the running service. */
export interface LintResult {
  readonly name: string;
  readonly ok: boolean;
  /** What it printed, without colours. */
  readonly output: string;
}

const TOOL_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 10_000_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
const COLOURS = /\u001b\[[0-9;]*m/g;

/**
 * Returns what the public linters say of /openapi.json, and the discovery tool of the origin and of
 * every paid endpoint. A tool passes where it finds nothing at all: no error, no warning, no hint.
 * `toolsDir` is where LINT_PACKAGES are installed.
 */
export async function lintOpenApi(baseUrl: string, toolsDir: string): Promise<LintResult[]> {
  const dir = tempFolder('lint');
  const document = await fetchDocument(baseUrl);
  if (document === null) return [{ name: '/openapi.json', ok: false, output: `there is none at ${baseUrl}` }];
  writeFileSync(join(dir, 'openapi.json'), document);
  writeFileSync(join(dir, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  const run = (tool: string, ...args: readonly string[]) =>
    runTool(join(toolsDir, 'node_modules/.bin', tool), args, dir);
  const results = [
    toLint('redocly lint', await run('redocly', 'lint', '--extends=recommended-strict', 'openapi.json'), [
      /Your API description is valid/,
    ]),
    toLint('spectral lint', await run('spectral', 'lint', '-F', 'hint', 'openapi.json'), [/No results/]),
    toDiscovery('discovery discover', await run('discovery', 'discover', baseUrl, '--json')),
  ];
  for (const url of paidUrls(baseUrl)) {
    results.push(
      toDiscovery(`discovery check ${url.slice(baseUrl.length)}`, await run('discovery', 'check', url, '--json')),
    );
  }
  return results;
}

async function fetchDocument(baseUrl: string): Promise<string | null> {
  const response = await fetch(`${baseUrl}/openapi.json`).catch(() => null);
  return response?.ok ? response.text() : null;
}

function paidUrls(baseUrl: string): readonly string[] {
  const paid = ENDPOINTS.filter((endpoint) => soldAt(endpoint) !== null);
  return [...new Set(paid.map(({ path }) => baseUrl + path))];
}

/** How a tool ended, and what it printed. */
interface Ran {
  readonly code: number;
  readonly output: string;
  readonly stdout: string;
}

async function runTool(file: string, args: readonly string[], cwd: string): Promise<Ran> {
  if (!existsSync(file)) {
    const output = `${file} is not there: npm install ${Object.entries(LINT_PACKAGES)
      .map(([name, version]) => `${name}@${version}`)
      .join(' ')} --prefix the folder of the tools`;
    return { code: 1, output, stdout: '' };
  }
  const env = { PATH: process.env.PATH, HOME: cwd, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' };
  const limits = { timeout: TOOL_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX };
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, [file, ...args], { cwd, env, ...limits });
  return { code: exitCode, stdout, output: (stdout + stderr).replace(COLOURS, '').trim() };
}

function toLint(name: string, { code, output }: Ran, signs: readonly RegExp[]): LintResult {
  const warned = /\b[1-9]\d* (warning|error|problem)/.test(output);
  return { name, ok: code === 0 && !warned && signs.every((sign) => sign.test(output)), output };
}

/** The discovery tool ends with 0 whatever it finds, so its warnings are counted. */
function toDiscovery(name: string, { code, output, stdout }: Ran): LintResult {
  try {
    const { ok, found, warnings } = JSON.parse(stdout) as {
      ok?: boolean;
      found?: boolean;
      warnings: readonly object[];
    };
    const fine = code === 0 && (ok === true || found === true) && warnings.length === 0;
    return {
      name,
      ok: fine,
      output: fine ? 'no warnings' : `${JSON.stringify(warnings, null, 1)}\n${output.slice(0, 2_000)}`,
    };
  } catch {
    return { name, ok: false, output };
  }
}
