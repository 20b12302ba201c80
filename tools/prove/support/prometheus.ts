import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeLowPort } from '#local/free-low-port';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';

/**
 * Prometheus itself on deploy/prometheus.yaml, with the local service in the place of the composed
 * one.
 */
export interface Prometheus {
  /** Values of a query now. */
  query(query: string): Promise<readonly number[]>;
  /**
   * Names of the alerts that it has loaded, of those among them that hold but not for long enough,
   * and of those that fire.
   */
  alerts(): Promise<Readonly<Record<'loaded' | 'pending' | 'firing', readonly string[]>>>;
  stop(): Promise<void>;
}

/** Starts it; null where it is not installed. */
export async function startPrometheus(
  target: string,
  scrapeEveryS: number,
  alertmanager: string | null,
): Promise<Prometheus | null> {
  if (spawnSync('prometheus', ['--version']).error !== undefined) return null;
  const dir = tempFolder('prometheus');
  const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');
  const config = read('prometheus.yaml')
    .replace(/scrape_interval: .*/, `scrape_interval: ${scrapeEveryS}s`)
    .replace(/preflight:\d+/, target)
    .replace(/alertmanager:\d+/, alertmanager ?? '127.0.0.1:9');
  writeFileSync(join(dir, 'prometheus.yml'), config);
  writeFileSync(join(dir, 'alerts.yml'), read('alerts.yaml'));
  const address = `127.0.0.1:${await freeLowPort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(dir, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  const ask = async (path: string) => {
    const answer = await fetch(`http://${address}/api/v1/${path}`);
    return ((await answer.json()) as { data: Record<string, unknown> }).data;
  };
  return {
    async query(query) {
      const { result } = await ask(`query?query=${encodeURIComponent(query)}`);
      return (result as { value: [number, string] }[]).map(({ value }) => Number(value[1]));
    },
    async alerts() {
      const { groups } = (await ask('rules')) as unknown as { groups: { rules: { name: string; state: string }[] }[] };
      const rules = groups.flatMap((group) => group.rules);
      const namesIn = (wanted: string) => rules.filter(({ state }) => state === wanted).map(({ name }) => name);
      return { loaded: rules.map(({ name }) => name), pending: namesIn('pending'), firing: namesIn('firing') };
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
