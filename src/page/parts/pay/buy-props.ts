import type { Answer } from '#client/answers';
import type { Wanted } from '../../model/pay/bought.js';

export interface BuyProps {
  readonly wanted: Wanted;
  /** What is bought, as in "the live leaderboard". */
  readonly what: string;
  /** Goes on with any open purchase of the tool, not with one of the same parameters alone. */
  readonly resumesAny?: boolean;
  /** Learns whether something was begun that must stay in sight: a signature, or what came of it. */
  readonly onBegun?: (isBegun: boolean) => void;
  /** Is told each answer, with what it was asked for: after a reload that may be something else. */
  readonly onAnswer: (answer: Answer<unknown>, wanted: Wanted) => void;
}
