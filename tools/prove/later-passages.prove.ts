import { laterPassageCells } from '#test/payments/matrix/harder';
import { proveCells } from './support/cells.js';

proveCells({
  part: 'later-passages',
  title: 'keep every promise when it dies at the second or third passage of a point',
  cells: laterPassageCells(),
});
