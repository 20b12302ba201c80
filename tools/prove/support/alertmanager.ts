import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { parse } from 'yaml';
import { freeLowPort } from '#local/free-low-port';
import { killed } from '#test/support/killed';
import { listen } from '#test/support/listen';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';

/** Alertmanager itself with its configuration of deploy/compose.yaml, and the receiver that it is given. */
export interface Alertmanager {
  /** Host and port, for Prometheus. */
  readonly address: string;
  /** Names of the alerts that the receiver was sent while they fired. */
  received(): readonly string[];
  stop(): Promise<void>;
}

interface Notification {
  readonly alerts: readonly { readonly status: string; readonly labels: { readonly alertname: string } }[];
}

/** Starts it; null where it is not installed. */
export async function startAlertmanager(): Promise<Alertmanager | null> {
  if (spawnSync('prometheus-alertmanager', ['--version']).error !== undefined) return null;
  const names: string[] = [];
  const receiver = createServer((req, res) => {
    void json(req).then((sent) => {
      const firing = (sent as Notification).alerts.filter(({ status }) => status === 'firing');
      names.push(...firing.map(({ labels }) => labels.alertname));
      res.end();
    });
  });
  const url = `http://127.0.0.1:${await listen(receiver)}/`;
  const { configs } = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'));
  const dir = tempFolder('alertmanager');
  const config = join(dir, 'alertmanager.yml');
  writeFileSync(config, configs.alertmanager.content.replace(/\$\{ALERT_WEBHOOK_URL[^}]*\}/, url));
  const address = `127.0.0.1:${await freeLowPort()}`;
  const child = spawn(
    'prometheus-alertmanager',
    [
      `--config.file=${config}`,
      `--storage.path=${join(dir, 'data')}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  );
  return {
    address,
    received: () => names,
    async stop() {
      await killed(child);
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
