import type { Answer } from '#client/answers';
import { receiptOf } from '../../model/pay/receipt.js';

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
      <button type="button" onClick={onAgain}>
        Ask again
      </button>
    </div>
  );
}
