import { checkOutside, type Finding } from '#compose/check-outside';
import { ConfigError, describeConfig, type Env, readConfig } from '#config/config';

/**
 * Prints whether the service could start with this environment, and whether everything that it
 * names is there, one line each. Returns the exit code: 0 if all is well, 1 if something is not
 * there, 2 for faults of the configuration.
 */
export async function checkService(env: Env): Promise<0 | 1 | 2> {
  try {
    const config = readConfig(env);
    const { profile, baseUrl, payee, dataDir, storeUrl } = describeConfig(config);
    const store = storeUrl ?? dataDir;
    print([`settings        ok    ${profile}, ${baseUrl}, paid to ${payee}, store ${store}`]);
    const findings = await checkOutside(config);
    print(findings.map(lineOf));
    const missing = findings.filter(({ fault }) => fault !== null).length;
    print([
      missing === 0 ? 'All is there: the service can start.' : `${missing} of ${findings.length} are not well.`,
      'To check that the venue still behaves as the service assumes: preflightctl venue check',
    ]);
    return missing === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

const NAME_WIDTH = 14;

function lineOf({ name, fault, warning = null }: Finding): string {
  const state = fault === null ? 'ok' : `FAULT ${fault}`;
  return `${name.padEnd(NAME_WIDTH)}  ${warning === null ? state : `${state}    WARNING ${warning}`}`;
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
