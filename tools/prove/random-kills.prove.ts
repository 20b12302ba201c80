import { randomCells } from '#test/payments/matrix/harder';
import { throwDice } from '#test/support/killed-process';
import { proveCells } from './support/cells.js';

const RANDOM_KILLS = 60;
const dice = throwDice();

proveCells({
  part: 'random-kills',
  title: `keep every promise when it is killed at any instant (seed ${dice.seed})`,
  cells: randomCells(RANDOM_KILLS, dice),
  isResumable: false,
});
