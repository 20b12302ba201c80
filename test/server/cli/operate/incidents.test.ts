import { expect } from 'chai';
import { DEGRADED_RULES } from '#api/degraded-rules';
import { metricsTable } from '#test/support/metrics/table';
import { sectionOf } from '#test/support/operate-page';
import { readSources } from '#test/support/source-tree';

const INCIDENTS = ['Settlement unproven', 'Board late', 'Venue frozen', 'Store down', 'Clock wrong'] as const;
const RULES = new Set(Object.keys(DEGRADED_RULES));

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);
/** What is quoted after "in the log", up to the end of the sentence. */
const logLines = (text: string) =>
  found(text.replaceAll(/\s+/g, ' '), /in the log ((?:"[^"]+"(?:, | and )?)+)/g).flatMap((list) =>
    found(list, /"([^"]+)"/g),
  );

describe('incident pages', () => {
  const metrics = metricsTable().map(({ name }) => name);
  const code = readSources(['src'])
    .map(({ text }) => text)
    .join('\n');

  for (const incident of INCIDENTS) {
    const text = sectionOf(incident);

    it(`"${incident}" say how it is seen, what to look at, what to do and what to say`, () => {
      for (const part of ['Seen by', 'Look at', 'Do', 'Say to customers']) expect(text).to.include(`* **${part}**`);
    });

    it(`"${incident}" name rules, metrics and log lines that there are`, () => {
      const names = found(text, /`(preflight_[a-z_]+)`/g);
      expect(names.filter((name) => !metrics.includes(name))).to.deep.equal([]);
      const rules = found(text, /`([a-z]+_[a-z]+)(?::[a-z-]+)?`/g).filter((name) => RULES.has(name));
      expect(rules).to.not.deep.equal([]);
      for (const line of logLines(text)) expect(code, line).to.include(line);
    });
  }

  it('would notice a log line that is gone', () => {
    expect(logLines('in the log "a thing\n  happened", "another".')).to.deep.equal(['a thing happened', 'another']);
  });
});
