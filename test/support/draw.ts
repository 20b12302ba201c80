import { type Dice, throwDice } from './killed-process.js';
import { PLAYS_ALL } from './size.js';

/** Of this process; SEED in the environment draws the same again. */
const { seed } = throwDice();

/** Cases that were drawn, with what draws them again: it belongs into a title. */
export interface Drawn<Case> {
  readonly cases: readonly Case[];
  readonly how: string;
}

/**
 * Returns so many of the cases, in their order: the suite plays some of them each time, and
 * `npm run prove -- samples` all.
 */
export function draw<Case>(cases: readonly Case[], count: number): Drawn<Case> {
  if (PLAYS_ALL || count >= cases.length) return { cases, how: 'all' };
  const dice = throwDice(seed);
  const places = new Set(shuffled([...cases.keys()], dice).slice(0, count));
  return { cases: cases.filter((_, place) => places.has(place)), how: `${count} of ${cases.length}, SEED=${seed}` };
}

function shuffled(places: readonly number[], dice: Dice): readonly number[] {
  return places
    .map((place) => ({ place, at: dice.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ place }) => place);
}
