import { expect } from 'chai';
import { DEGRADED_RULES } from '#api/degraded-rules';
import type { StatusReport } from '#api/status';
import { shownComponents, shownFigures, shownRules } from '#page/model/status/status-view';
import { STATUS } from '#test/server/http/support/door';

const at = (more: Partial<StatusReport>): StatusReport => ({ ...STATUS, now: '2026-08-01T12:00:00.000Z', ...more });
const component = (ok: boolean | null, lastOkAt: string | null, error: string | null = null) => ({
  ok,
  last_ok_at: lastOkAt,
  error,
});

describe('the status as a page shows it', () => {
  it('has each rule in words, with the component that it is about', () => {
    for (const name of Object.keys(DEGRADED_RULES) as (keyof typeof DEGRADED_RULES)[]) {
      expect(shownRules({ degraded_by: [name] })).to.deep.equal([
        { name, component: null, meaning: DEGRADED_RULES[name] },
      ]);
    }
    const [down] = shownRules({ degraded_by: ['component_down:https://pay.example:8443'] });
    expect(down).to.include({ name: 'component_down', component: 'https://pay.example:8443' });
  });

  it('shows a rule that it does not know by its name', () => {
    expect(shownRules({ degraded_by: ['toString'] })).to.deep.equal([
      { name: 'toString', component: null, meaning: 'A rule that this page does not know.' },
    ]);
  });

  it('has what is down first, and says how long ago each answered well', () => {
    const components = {
      b: component(true, '2026-08-01T11:59:57.000Z'),
      c: component(null, null),
      a: component(true, '2026-08-01T11:50:00.000Z'),
      z: component(false, '2026-08-01T07:00:00.000Z', 'answered 500'),
    };
    expect(shownComponents(at({ components })).map(({ about: _, ...shown }) => shown)).to.deep.equal([
      { name: 'z', state: 'down', lastGood: '5 h ago', error: 'answered 500' },
      { name: 'a', state: 'ok', lastGood: '10 min ago', error: null },
      { name: 'b', state: 'ok', lastGood: '3 s ago', error: null },
      { name: 'c', state: 'idle', lastGood: '–', error: null },
    ]);
  });

  it('shows a dash for a figure that there is none of, and never an empty place', () => {
    const values = shownFigures(at({})).flatMap(({ figures }) => figures.map(({ value }) => value));
    expect(values).to.have.length.above(15);
    expect(values.filter((value) => value === '' || /null|NaN|undefined/.test(value))).to.deep.equal([]);
  });
});
