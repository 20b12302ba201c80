import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { docOf, ErrorBodySchema, STATUS_OF } from '#api/errors';
import { EnvSchema } from '#config/env-schema';
import type { ProblemCode } from '#domain/errors';
import { BODY_BYTES_MAX, CONNECTIONS_MAX, HEADER_BYTES_MAX } from '#http/limits/limits';
import { freeLowPort } from '#local/free-low-port';
import { exchange, parseAnswers, type RawAnswer } from './server/http/support/raw-exchange.js';
import { caddyBefore, type DeployedProxy, nginxBefore } from './support/deployed-proxies.js';
import { alertRules } from './support/metrics/alerts.js';
import { selectorsOf } from './support/metrics/promql.js';
import { runProgram } from './support/run-program.js';
import { skipLoudly } from './support/skipped.js';
import { ROOT, readSources } from './support/source-tree.js';

const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');
const withoutComments = (text: string) => text.replace(/^\s*#.*$/gm, '');
const namesOf = (env: readonly string[]) => env.map((line) => line.split('=')[0]!);

/** The variable of the dashboard, as its panels name it. */
const DATASOURCE = ['$', '{datasource}'].join('');

/** Settings that a deployment file names, beside those of the container or of Node itself. */
const isKnown = (name: string) => name in EnvSchema.shape || ['NODE_ENV'].includes(name);

/** Whether a program is there that checks such files itself. */
const checks = (program: string, ...args: readonly string[]) => {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return error === undefined ? { status, stderr } : null;
};

describe('deploy/', () => {
  it('has every setting in .env.example, as the page about the configuration says it', () => {
    const written = read('.env.example');
    const made = execFileSync(process.execPath, [join(ROOT, 'scripts/env-example.mjs'), '--print'], {
      encoding: 'utf8',
    });
    expect(written, 'run: node scripts/env-example.mjs').to.equal(made);
    const names = [...written.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(names).to.have.members(Object.keys(EnvSchema.shape));
  });

  describe('Dockerfile', () => {
    const lines = withoutComments(read('Dockerfile')).replaceAll('\\\n', ' ').split('\n').filter(Boolean);
    const last = lines.findLastIndex((line) => line.startsWith('FROM '));

    it('builds in one image and runs in another, of a Node that is maintained', () => {
      const images = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
      expect(images).to.have.length(2);
      for (const image of images) expect(image).to.match(/^node:(22|24)\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
    });

    it('copies what is there, and only that reaches the builder', () => {
      const sources = lines.filter((line) => /^COPY (?!--)/.test(line)).flatMap((line) => line.split(' ').slice(1, -1));
      const stored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1));
      expect(sources).to.have.members(stored);
      for (const source of sources) expect(existsSync(join(ROOT, source)), source).to.equal(true);
    });

    it('leaves out nothing that what reaches the builder loads', () => {
      const leftOut = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
        .split('\n')
        .filter((line) => /^\w/.test(line));
      const isSent = (path: string) => !leftOut.some((folder) => path.startsWith(`${folder}/`));
      const missing = readSources(['src', 'machines', 'streams'])
        .filter(({ path }) => isSent(path))
        .flatMap(({ path, loads }) => loads.filter((loaded) => !isSent(loaded)).map((loaded) => `${path}: ${loaded}`));
      expect(leftOut).to.include('src/local');
      expect(missing).to.deep.equal([]);
    });

    it('runs as nobody in particular, writes to one volume, and says how it is', () => {
      const run = lines.slice(last);
      expect(run).to.include.members(['USER node', 'VOLUME /data', 'EXPOSE 4021']);
      expect(run.find((line) => line.startsWith('HEALTHCHECK'))).to.include('/healthz');
      const env = run
        .find((line) => line.startsWith('ENV '))!
        .split(' ')
        .slice(1);
      expect(namesOf(env).filter((name) => !isKnown(name))).to.deep.equal([]);
    });

    it('starts what the build makes', () => {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      expect(lines.at(-1)).to.equal('CMD ["node", "dist/bundle/service/main.cjs"]');
      expect(scripts['build:prod']).to.include('scripts/bundle-service.mjs');
    });
  });

  describe('compose.yaml', () => {
    const { services, volumes } = parse(read('compose.yaml'));

    it('locks the service in, and lets it end in time', () => {
      const { preflight } = services;
      expect(preflight).to.include({ read_only: true, init: true });
      expect(preflight.cap_drop).to.deep.equal(['ALL']);
      expect(preflight.security_opt).to.include('no-new-privileges:true');
      expect(Number.parseInt(preflight.stop_grace_period, 10)).to.be.above(25);
      expect(Object.keys(preflight.environment).filter((name) => !isKnown(name))).to.deep.equal([]);
    });

    it('gives no part rights, files or memory without end', () => {
      for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
        expect(service.cap_drop, name).to.deep.equal(['ALL']);
        expect(service.security_opt, name).to.deep.equal(['no-new-privileges:true']);
        expect(service.mem_limit, name).to.match(/^\d+[mg]$/);
      }
      expect(services.preflight.ulimits.nofile).to.be.above(2 * CONNECTIONS_MAX);
    });

    it('opens nothing to the outside, names its images by version and digest, and keeps what must not be lost', () => {
      for (const [name, service] of Object.entries<{ image: string; ports?: string[]; volumes?: string[] }>(services)) {
        for (const port of service.ports ?? []) expect(port, name).to.match(/^127\.0\.0\.1:/);
        if (service.image !== 'preflight') expect(service.image, name).to.match(/:v?\d[\d.]+@sha256:[0-9a-f]{64}$/);
        for (const mount of service.volumes ?? []) {
          const [from = ''] = mount.split(':');
          const isThere = from.startsWith('.') ? existsSync(join(ROOT, 'deploy', from)) : from in volumes;
          expect(isThere, `${name}: ${mount}`).to.equal(true);
        }
      }
      expect(services.preflight.volumes).to.deep.equal(['data:/data']);
    });
  });

  describe('what watches it', () => {
    const { services } = parse(read('compose.yaml'));
    const mounted = (service: string, at: string) =>
      (services[service].volumes as string[]).find((mount) => mount.split(':')[1] === at)?.split(':')[0];
    const headings = [...readFileSync(join(ROOT, 'docs/operate.md'), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text!
        .toLowerCase()
        .replaceAll(/[^a-z0-9 ]/g, '')
        .replaceAll(' ', '-'),
    );

    it('is scraped where its metrics are, under the name that alerts and panels have', () => {
      const { scrape_configs: jobs, rule_files: rules } = parse(read('prometheus.yaml'));
      const port = services.preflight.environment.METRICS_PORT;
      expect(jobs).to.deep.equal([{ job_name: 'preflight', static_configs: [{ targets: [`preflight:${port}`] }] }]);
      expect(mounted('prometheus', '/etc/prometheus/prometheus.yml')).to.equal('./prometheus.yaml');
      expect(rules.map((rule: string) => mounted('prometheus', `/etc/prometheus/${rule}`))).to.deep.equal([
        './alerts.yaml',
      ]);
    });

    it('brings its alerts to a receiver that the settings name', () => {
      const { alerting } = parse(read('prometheus.yaml'));
      expect(alerting.alertmanagers).to.deep.equal([{ static_configs: [{ targets: ['alertmanager:9093'] }] }]);
      const { configs } = parse(read('compose.yaml'));
      const [mount] = services.alertmanager.configs;
      expect(services.alertmanager.command).to.include(`--config.file=${mount.target}`);
      const { receivers } = parse(configs[mount.source].content);
      expect(receivers).to.have.length(1);
      expect(receivers[0].webhook_configs[0].url).to.match(/^\$\{ALERT_WEBHOOK_URL:-/);
    });

    it('has alerts of two severities, each with what to look at and a heading that is there', () => {
      const rules = alertRules();
      const names = rules.map(({ alert }) => alert);
      expect(new Set(names).size).to.equal(names.length);
      for (const { alert, labels, annotations, ...rule } of rules) {
        expect(alert).to.match(/^Preflight[A-Z]/);
        expect(labels.severity, alert).to.match(/^(critical|warning)$/);
        expect(annotations, alert).to.have.all.keys('summary', 'look', 'runbook');
        const [page, heading = ''] = annotations.runbook.split('#');
        expect(page, alert).to.equal('docs/operate.md');
        expect(headings, alert).to.include(heading);
        expect(() => selectorsOf(rule.expr), alert).to.not.throw();
      }
    });

    it('has an alert for each of the incidents that somebody may be woken for', () => {
      const page = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8');
      const [, incidents = ''] = /^## Incidents$([\s\S]*?)^## /m.exec(page) ?? [];
      const wanted = [...incidents.matchAll(/^### (.+)$/gm)].map(([, text]) =>
        text!.toLowerCase().replaceAll(' ', '-'),
      );
      const named = alertRules().map(({ annotations }) => annotations.runbook.split('#')[1]);
      expect(wanted).to.have.length.above(3);
      expect(named).to.include.members(wanted);
    });

    it('has its alerts in the table of docs/operate.md, with their severity, and no others', () => {
      const page = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8');
      const table = [...page.matchAll(/^\| `(Preflight\w+)` \| (\w+) \|/gm)].map(([, name, severity]) => [
        name,
        severity,
      ]);
      expect(table).to.have.deep.members(alertRules().map(({ alert, labels }) => [alert, labels.severity]));
    });

    it('has a dashboard that asks the data source that Grafana is given', () => {
      const { templating, panels } = JSON.parse(read('dashboard.json'));
      expect(templating.list.map(({ name, type, query }: Record<string, string>) => [name, type, query])).to.deep.equal(
        [['datasource', 'datasource', 'prometheus']],
      );
      for (const { title, type, datasource } of panels) {
        if (type !== 'row') expect(datasource, title).to.deep.equal({ type: 'prometheus', uid: DATASOURCE });
      }
      const ids = panels.map(({ id }: { id: number }) => id);
      expect(new Set(ids).size).to.equal(ids.length);
      const dashboards = mounted('grafana', '/etc/grafana/provisioning/dashboards/preflight.yaml')!;
      const [provider] = parse(read(dashboards)).providers;
      expect(mounted('grafana', `${provider.options.path}/preflight.json`)).to.equal('./dashboard.json');
      const sources = mounted('grafana', '/etc/grafana/provisioning/datasources/preflight.yaml')!;
      expect(parse(read(sources)).datasources[0]).to.include({ type: 'prometheus', url: 'http://prometheus:9090' });
    });

    it('passes promtool', function () {
      const checked = checks('promtool', 'check', 'rules', join(ROOT, 'deploy/alerts.yaml'));
      if (checked === null) skipLoudly(this, 'promtool is not installed (it comes with Prometheus)');
      expect(checked.status, checked.stderr).to.equal(0);
    });
  });

  it('has a unit that cannot gain rights, keeps its data, and checks before it starts', () => {
    const unit = withoutComments(read('preflight.service'));
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'User=preflight', 'StateDirectory=preflight']) {
      expect(unit).to.include(`\n${line}\n`);
    }
    expect(unit, 'starts also while a part is away').to.match(/ExecStartPre=-.* --check\n/);
    // Locks of operators' commands lie in /dev/shm as that user's: a stop would take them away.
    expect(unit).to.not.include('RemoveIPC=');
    const env = /^Environment=(.*)$/m.exec(unit)![1]!.split(' ');
    expect(namesOf(env).filter((name) => !isKnown(name))).to.deep.equal([]);
    const verified = checks('systemd-analyze', 'verify', '--man=no', join(ROOT, 'deploy/preflight.service'));
    // The program need not be where the unit says on the machine of a test.
    expect((verified?.stderr ?? '').replaceAll(/^.*Command .* is not executable.*$/gm, '').trim()).to.equal('');
  });

  it('has proxies that tell who called, wait for the longest answer, and repeat nothing', () => {
    const [caddy, nginx] = [withoutComments(read('Caddyfile')), withoutComments(read('nginx.conf'))];
    expect(caddy)
      .to.match(/reverse_proxy 127\.0\.0\.1:4021/)
      .and.to.include('response_header_timeout 40s');
    expect(nginx).to.match(/proxy_set_header X-Forwarded-For \$remote_addr;/);
    expect(nginx).to.include('proxy_next_upstream off;').and.to.include('proxy_read_timeout 40s;');
    // Event streams ask nginx not to collect them, and would be cut if they were silent for longer.
    expect(nginx).to.not.match(/proxy_ignore_headers|proxy_buffering on/);
    const kilobytes = (name: string) => Number(new RegExp(`${name} (?:\\d+ )?(\\d+)k;`).exec(nginx)![1]) * 1024;
    expect(kilobytes('large_client_header_buffers')).to.be.at.least(HEADER_BYTES_MAX);
    expect(kilobytes('client_max_body_size')).to.be.at.least(BODY_BYTES_MAX);
  });

  describe('nginx.conf', () => {
    const HOST = 'Host: preflight.example\r\nConnection: close\r\n\r\n';
    const REFUSED: readonly (readonly [what: string, request: string, code: ProblemCode])[] = [
      ['a path that is not encoded well', `GET /%zz HTTP/1.1\r\n${HOST}`, 'malformed_request'],
      ['a path above the root', `GET /../../x HTTP/1.1\r\n${HOST}`, 'malformed_request'],
      ['a path with NUL in it', `GET /%00 HTTP/1.1\r\n${HOST}`, 'malformed_request'],
      ['a body to such a path', `POST /%zz HTTP/1.1\r\nContent-Length: 2\r\n${HOST}{}`, 'malformed_request'],
      ['what is no HTTP', 'x\r\n\r\n', 'malformed_request'],
      ['two hosts', `GET / HTTP/1.1\r\nHost: a\r\n${HOST}`, 'malformed_request'],
      ['an unknown encoding (501)', `POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n${HOST}`, 'malformed_request'],
      ['an unknown version (505)', `GET / HTTP/3.0\r\n${HOST}`, 'malformed_request'],
      ['a path that is too long (414)', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${HOST}`, 'headers_too_large'],
      ['a header that is too long', `GET / HTTP/1.1\r\na: ${'a'.repeat(40_000)}\r\n${HOST}`, 'headers_too_large'],
      ['TRACE (405)', `TRACE / HTTP/1.1\r\n${HOST}`, 'method_not_allowed'],
      ['the path of a refusal', `GET /_refused/away HTTP/1.1\r\n${HOST}`, 'not_found'],
    ];
    let proxy: DeployedProxy;
    let port: number;

    before(async function () {
      if (checks('nginx', '-v') === null) skipLoudly(this, 'nginx is not installed');
      proxy = await nginxBefore(await freeLowPort());
      port = Number(new URL(proxy.url).port);
    });

    after(() => proxy?.stop());

    const expectRefusal = ({ status, headers, body }: RawAnswer, code: ProblemCode) => {
      const said = ErrorBodySchema.parse(JSON.parse(body));
      expect([status, said.code, said.doc]).to.deep.equal([STATUS_OF[code], code, docOf(code)]);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(headers['access-control-allow-origin']).to.equal('*');
      expect(headers['cache-control']).to.equal('private, no-store');
      expect(headers.allow).to.equal(code === 'method_not_allowed' ? 'GET, POST, OPTIONS' : undefined);
    };

    for (const [what, request, code] of REFUSED) {
      it(`refuses ${what} in the form of the service`, async () => {
        const args = ['s_client', '-quiet', '-connect', `127.0.0.1:${port}`];
        const { stdout } = await runProgram('openssl', args, { input: request });
        expectRefusal(parseAnswers(stdout)[0]!, code);
      });
    }

    it('refuses plain HTTP in the form of the service, and says what to ask by', async () => {
      const answer = await exchange(port, `GET / HTTP/1.1\r\n${HOST}`);
      expectRefusal(answer, 'malformed_request');
      expect(answer.body).to.include('ask it by https');
    });
  });

  it('has a Caddyfile that brings calls under any name to the service, as nginx does', async function () {
    if (checks('caddy', '--help') === null) skipLoudly(this, 'caddy is not installed');
    const proxy = await caddyBefore(await freeLowPort());
    try {
      const { stdout } = await runProgram('curl', ['--silent', '--header', 'Host: other.example', proxy.url]);
      expect(ErrorBodySchema.parse(JSON.parse(stdout)).code).to.equal('internal_error');
    } finally {
      await proxy.stop();
    }
  });

  const PROXIES = [
    { program: 'nginx', before: nginxBefore },
    { program: 'caddy', before: caddyBefore },
  ];
  for (const { program, before: startBefore } of PROXIES) {
    it(`has a file that ${program} takes, and whose own errors are those of the service`, async function () {
      if (checks(program, '--help') === null) skipLoudly(this, `${program} is not installed`);
      const proxy = await startBefore(await freeLowPort());
      try {
        const url = `${proxy.url}/api/preflight_trade`;
        const long = ['--data-binary', `@${process.execPath}`];
        const header = ['--http1.1', '--header', `a: ${'a'.repeat(40_000)}`];
        const asked = program === 'nginx' ? { 502: [], 413: long, 400: header } : { 502: [] };
        for (const [status, args] of Object.entries(asked)) {
          const { stdout } = await runProgram('curl', ['--silent', '--insecure', '--include', ...args, url]);
          const [head = '', body = ''] = stdout.split(/\r\n\r\n(?!HTTP)/);
          expect(head, status).to.match(new RegExp(`(^|\n)HTTP/[\\d.]+ ${status}`));
          expect(head.toLowerCase()).to.include('access-control-allow-origin: *').and.to.include('application/json');
          const said = ErrorBodySchema.parse(JSON.parse(body));
          expect(STATUS_OF[said.code]).to.equal(status === '502' ? 500 : Number(status));
          expect(said.doc).to.equal(docOf(said.code));
          expect(said.retry).to.equal(status === '502' ? 'same_payment' : undefined);
        }
      } finally {
        await proxy.stop();
      }
    });
  }
});
