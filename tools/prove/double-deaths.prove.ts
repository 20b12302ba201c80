import { expect } from 'chai';
import { CRASH_POINTS } from '#ports/crash-point';
import { doubleCells } from '#test/payments/matrix/harder';
import { deathsTable } from '#test/payments/matrix/table';
import { proveCells } from './support/cells.js';

proveCells({
  part: 'double-deaths',
  title: 'keep every promise when it dies again during its recovery, at every point',
  cells: doubleCells(),
  tables: deathsTable,
  check(played) {
    const secondDeaths = new Set(played.map(({ deaths }) => deaths[1]).filter((point) => point !== undefined));
    expect([...secondDeaths]).to.have.members([...CRASH_POINTS]);
  },
});
