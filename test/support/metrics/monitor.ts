import { alertRules } from './alerts.js';
import { readExposition } from './exposition.js';
import { evaluate, type Scrape } from './promql.js';

/** What Prometheus adds to every line of a target (deploy/prometheus.yaml). */
const TARGET = { job: 'preflight', instance: 'preflight:9464' };

/**
 * Does what Prometheus does with a target: scrapes it, keeps what came, and says which alerts would
 * fire.
 */
export class Monitor {
  readonly #read: () => Promise<string>;
  readonly #nowS: () => number;
  readonly scrapes: Scrape[] = [];

  constructor(read: () => Promise<string>, nowS: () => number) {
    this.#read = read;
    this.#nowS = nowS;
  }

  async scrape(): Promise<void> {
    const text = await this.#read().catch(() => null);
    const found = readExposition(text ?? '').flatMap(({ samples }) => samples);
    const samples = found.map(({ labels, ...sample }) => ({ ...sample, labels: { ...TARGET, ...labels } }));
    const up = { name: 'up', labels: TARGET, value: text === null ? 0 : 1 };
    this.scrapes.push({ atS: this.#nowS(), samples: [up, ...samples] });
  }

  /** Which alerts have a condition that is true, whatever the time that they wait. */
  firing(): readonly string[] {
    return alertRules()
      .filter(({ expr }) => evaluate(expr, this.scrapes).some(({ value }) => !Number.isNaN(value)))
      .map(({ alert }) => alert);
  }
}
