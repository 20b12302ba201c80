import { matrixCells } from '#test/payments/matrix/cells';
import { matrixTables } from '#test/payments/matrix/table';
import { proveCells } from './support/cells.js';

proveCells({
  part: 'matrix',
  title: 'keep every promise at every crash point with every fault',
  cells: matrixCells(),
  tables: matrixTables,
});
