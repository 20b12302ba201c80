import { startLocalProcess } from '#test/support/local-process';
import { table } from '#tools/bench/support/report';
import { startFixtureServer } from './fixture-server.js';
import { inspectHttp, inspectStdio } from './inspector.js';
import { lintOpenApi } from './openapi.js';
import { runSuite, type Scenario } from './suite-run.js';
import { installTools, type Tool, type Tools } from './tools-install.js';

/**
 * `npm run conformance`: what others wrote to check servers with, run on the product as `npm start`
 * starts it, and on its MCP handler with the fixtures that most scenarios call. Prints one table;
 * ends with 1 where something failed.
 */

/** Scenarios that need nothing but the server: they are run on the product itself. */
const FIXTURE_FREE: ReadonlySet<string> = new Set([
  'server-initialize',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'server-session-lifecycle',
  'dns-rebinding-protection',
  'sep-2164-resource-not-found',
  'input-required-result-missing-input-response',
  'input-required-result-unsupported-methods',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
  'http-header-validation',
]);

/** One line of the table. */
interface Row {
  readonly what: string;
  readonly passed: number;
  readonly of: number;
  /** Single checks within the scenarios. */
  readonly checks: number;
  readonly failures: readonly string[];
}

function toRow(what: string, scenarios: readonly Scenario[]): Row {
  const failures = scenarios.filter(({ failed }) => failed > 0).map(({ name, failed }) => `${name}: ${failed} failed`);
  const checks = scenarios.reduce((sum, { passed }) => sum + passed, 0);
  return { what, passed: scenarios.length - failures.length, of: scenarios.length, checks, failures };
}

/** The row of a tool that finds fault or does not. */
function toSingleRow({ name, ok, output }: { name: string; ok: boolean; output: string }): Row {
  const passed = Number(ok);
  return { what: name, passed, of: 1, checks: passed, failures: ok ? [] : [output] };
}

/**
 * The suites, by the revision that they are asked about; null: the suite's own choice, of
 * 2025-11-25.
 */
const runsOf = ({ suite, newSuite }: Tools): readonly (readonly [Tool, string | null])[] => [
  [suite, null],
  [newSuite, '2025-11-25'],
  [newSuite, '2026-07-28'],
];

async function checkMcp(who: string, url: string, tools: Tools, keep: (scenario: Scenario) => boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [suite, revision] of runsOf(tools)) {
    const scenarios = (await runSuite(suite, url, revision)).filter(keep);
    rows.push(toRow(`MCP ${revision ?? '2025-11-25'}, ${who} (suite ${suite.version})`, scenarios));
  }
  return rows;
}

async function checkFixtures(tools: Tools): Promise<Row[]> {
  const server = await startFixtureServer();
  try {
    return await checkMcp('with fixtures', server.url, tools, ({ scored }) => scored);
  } finally {
    await server.stop();
  }
}

async function checkProduct(tools: Tools): Promise<Row[]> {
  const local = await startLocalProcess();
  try {
    const { url } = local.facts;
    const mcp = await checkMcp('fixture-free', `${url}/mcp`, tools, ({ name }) => FIXTURE_FREE.has(name));
    const singles = [
      ...(await inspectHttp(tools.inspector, url)),
      ...(await inspectStdio(tools.inspector, url)),
      ...(await lintOpenApi(url, tools.openapiDir)),
    ];
    return [...mcp, ...singles.map(toSingleRow)];
  } finally {
    await local.end('SIGTERM');
  }
}

console.error('installing the tools into a temporary folder (a minute) ...');
const tools = await installTools();
console.error('running them ...');
const rows = [...(await checkProduct(tools)), ...(await checkFixtures(tools))];
const cells = rows.map(({ what, passed, of, checks }) => [what, `${passed}/${of}`, String(checks)]);
console.log(table(['check', 'passed', 'single checks'], cells));
const failed = rows.filter(({ failures, of }) => failures.length > 0 || of === 0);
for (const { what, failures } of failed) console.log(`\nFAILED: ${what}\n${failures.join('\n') || 'nothing was run'}`);
process.exitCode = failed.length === 0 ? 0 : 1;
