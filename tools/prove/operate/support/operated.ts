import { readFileSync } from 'node:fs';
import type { StatusReport } from '#api/status';
import { freeLowPort } from '#local/free-low-port';
import { until } from '#test/support/live-verdicts';
import { type LocalMoney, moneyOf } from '#test/support/local-money';
import { type LocalProcess, startLocalProcess } from '#test/support/local-process';
import { Monitor } from '#test/support/metrics/monitor';
import type { Call } from '#test/support/paying-clients';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';
import { Server } from './server.js';

/**
 * A service in the profile live on a server of its own, as docs/operate.md brings it up, with the
 * venue, the chain and the facilitator of a local profile.
 */
export class Operated {
  readonly local: LocalProcess;
  readonly money: LocalMoney;
  readonly server: Server;
  readonly url: string;
  /** An order check on a market of the local venue. */
  readonly call: Call;
  /**
   * The service's line to the chain, which can be cut; facilitator and client have lines of their
   * own.
   */
  readonly chainLine: TcpProxy;
  readonly #metricsPort: number;

  private constructor(local: LocalProcess, chainLine: TcpProxy, [port, metricsPort]: readonly [number, number]) {
    this.local = local;
    this.money = moneyOf(local);
    this.server = new Server(port);
    this.url = `http://127.0.0.1:${port}`;
    this.call = { url: `${this.url}/api/preflight_trade?slug=${local.facts.exampleSlug}&usd=25` };
    this.chainLine = chainLine;
    this.#metricsPort = metricsPort;
  }

  static async prepare(): Promise<Operated> {
    const local = await startLocalProcess();
    const chainLine = await startTcpProxy(Number(new URL(local.facts.rpcUrl!).port));
    return new Operated(local, chainLine, [await freeLowPort(), await freeLowPort()]);
  }

  /** What an operator fills in, beside what may be left as it is. */
  settings(): Readonly<Record<string, string>> {
    const { venue, facilitator, payee } = this.local.facts;
    return {
      BASE_URL: this.url,
      PORT: new URL(this.url).port,
      METRICS_PORT: String(this.#metricsPort),
      PAYEE_ADDRESS: payee,
      FACILITATOR_URLS: facilitator!.url,
      BASE_RPC_URLS: `http://127.0.0.1:${this.chainLine.port}`,
      SUPPORT_EMAIL: 'help@preflight.example',
      VENUE_GAMMA_URL: venue.gammaUrl,
      VENUE_CLOB_URL: venue.clobUrl,
      VENUE_WS_URL: venue.wsUrl,
      VENUE_DATA_URL: venue.dataUrl,
      VENUE_RTDS_URL: venue.rtdsUrl,
    };
  }

  async isUp(): Promise<boolean> {
    return (await fetch(`${this.url}/healthz`).catch(() => null))?.ok === true;
  }

  async status(): Promise<StatusReport> {
    return (await (await fetch(`${this.url}/status.json`)).json()) as StatusReport;
  }

  /** Waits until `/status.json` names a rule, or no longer does. */
  async untilDegraded(rule: string, is = true): Promise<void> {
    const holds = async () => (await this.status()).degraded_by.includes(rule) === is;
    await until(`${rule} is ${is ? '' : 'not '}named in /status.json`, holds, 120_000);
  }

  metrics(): Promise<string> {
    return fetch(`http://127.0.0.1:${this.#metricsPort}/metrics`).then((answer) => answer.text());
  }

  /** Puts faults of the local venue into force (src/local/README.md, "Faults"). */
  async venueDoes(command: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const url = `${this.local.facts.venue.controlUrl}/faults`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(command) });
    if (!answer.ok) throw new Error(`the local venue answered ${answer.status} ${await answer.text()}`);
  }

  /** The alerts whose condition is true now. */
  async alerts(): Promise<readonly string[]> {
    const monitor = new Monitor(
      () => this.metrics(),
      () => Date.now() / 1e3,
    );
    await monitor.scrape();
    return monitor.firing();
  }

  /** What a metric says, over all of its labels; 0: it is not there. */
  async figure(name: string): Promise<number> {
    const lines = (await this.metrics()).split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  log(): string {
    return readFileSync(this.server.path('/etc/systemd/system/preflight.log'), 'utf8');
  }

  async close(): Promise<void> {
    await this.server.remove();
    await this.chainLine.close();
    await this.local.end('SIGTERM');
  }
}
