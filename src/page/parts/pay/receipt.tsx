import { useSignal } from '@preact/signals';
import type { Answer } from '#client/answers';
import { receiptOf, standsUntilMs } from '../../model/pay/receipt.js';
import { momentText } from '../../model/texts.js';
import { Countdown } from './countdown.js';

interface ReceiptProps {
  readonly answer: Answer<unknown>;
  readonly onAgain: () => void;
}

/** How an answer was paid, with its transaction. */
export function Receipt({ answer, onAgain }: ReceiptProps) {
  const { text, transaction, link } = receiptOf(answer);
  return (
    <div class="receipt">
      <p role="status">
        <span aria-hidden="true">✓ </span>
        {text}
      </p>
      {transaction !== null && (
        <p class="foreign">
          Transaction{' '}
          {link === null ? (
            <code>{transaction}</code>
          ) : (
            <a href={link} rel="noreferrer">
              <code>{transaction}</code>
            </a>
          )}
        </p>
      )}
      <AskAgain untilMs={standsUntilMs(answer)} onAgain={onAgain} />
    </div>
  );
}

/**
 * An answer that stands would be bought a second time: until it is made anew there is nothing to
 * ask for.
 */
function AskAgain({ untilMs, onAgain }: { readonly untilMs: number | null; readonly onAgain: () => void }) {
  const isOver = useSignal(untilMs === null);
  return (
    <p class="buy">
      <button type="button" disabled={!isOver.value} onClick={onAgain}>
        Ask again
      </button>
      {untilMs !== null && !isOver.value && (
        <span class="faint">
          The answer stands until {momentText(untilMs)}, for{' '}
          <Countdown
            untilMs={untilMs}
            onEnd={() => {
              isOver.value = true;
            }}
          />
          : until then asking again would buy the same one.
        </span>
      )}
    </p>
  );
}
