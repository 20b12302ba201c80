import type { Verdict } from '#api/order-numbers';
import { EXTREME_HIGH_TICKS, EXTREME_LOW_TICKS } from '#domain/book/book';
import { DEFAULT_THRESHOLDS, GAME_OVER_AFTER_H } from '#domain/order/thresholds';
import { VerdictSign } from '../verdict/verdict-sign.js';

const { slippageCautionCents, slippageVetoCents, depthCautionFraction, bookStaleVetoS } = DEFAULT_THRESHOLDS;

const WORDS: readonly { readonly verdict: Verdict; readonly says: string; readonly when: string }[] = [
  {
    verdict: 'OK',
    says: 'Send it.',
    when:
      `The book fills the order with at most ${slippageCautionCents} cent of slippage a share, ` +
      'and neither CAUTION nor VETO applies.',
  },
  {
    verdict: 'CAUTION',
    says: 'Make it smaller, or look twice.',
    when:
      `More slippage than that, more than ${depthCautionFraction * 100}% of the book's depth, ` +
      `a best price of ${EXTREME_HIGH_TICKS / 1e4} or above, or ${EXTREME_LOW_TICKS / 1e4} or below, or a game ` +
      `that was due more than ${GAME_OVER_AFTER_H} h ago and still takes orders. ` +
      'The answer names the largest size that is still OK, 0 if none is.',
  },
  {
    verdict: 'VETO',
    says: 'Do not send it.',
    when:
      `${slippageVetoCents} cents of slippage or more, more than the book holds, a book not confirmed for ` +
      `${bookStaleVetoS} s, or a market that takes no orders.`,
  },
];

/** The three words, with the limits that hold unless a caller sets others. */
export function VerdictWords() {
  return (
    <section aria-labelledby="words-title">
      <h2 id="words-title">Three words</h2>
      <ul class="words">
        {WORDS.map(({ verdict, says, when }) => (
          <li class={`card ${verdict.toLowerCase()}`}>
            <p class="word">
              <VerdictSign verdict={verdict} />
              <strong>{verdict}</strong>
              <span>{says}</span>
            </p>
            <p>{when}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
