import { hash } from 'node:crypto';
import type { PaymentKey, SignedPayment } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { SignatureCheck, Signer } from '#ports/settlement';
import type { PaidWork } from './contract.js';
import type { Sender } from './refused-payments.js';

/** Returns what names a payment in logs: the key itself holds the nonce. */
export function paymentIdOf(key: PaymentKey): string {
  return hash('sha256', key, 'hex').slice(0, 16);
}

/** Returns what is the same only for copies of one request with one payment, to the last byte signed. */
export function spellingOf(key: PaymentKey, { signature }: SignedPayment, fingerprint: string): string {
  return `${key} ${fingerprint} ${signature}`;
}

/**
 * One running authorization: what its steps need beside the machine, which holds JSON alone. The
 * steps find it by its key.
 */
export class PaymentInWork {
  readonly key: PaymentKey;
  /** Names the payment in logs. */
  readonly id: string;
  readonly payment: SignedPayment;
  /** Names the request that the authorization is bound to. */
  readonly fingerprint: string;
  /** Names this spelling of the payment, signature included, for this request. */
  readonly spelling: string;
  readonly signature: ReturnType<SignatureCheck['check']>;
  /** What is to be done for it; null: it goes on from its row, and no request has come. */
  work: PaidWork | null = null;
  /** How many others of its payer were in work here when it came. */
  othersOfPayer = 0;
  /** How many that stay open for longer than they should were in work here when it came. */
  othersLongLived = 0;
  /** Gives back what its address was charged until it is known what comes of it. */
  giveBack: () => void = () => undefined;
  /** Whether the payment began here, with the first request that waits for it. */
  began = false;
  /** In which term of this process's lease it was last known to be ours. */
  term = 0;
  /** The payment that was made under a name of this purchase before; null: none, as far as known. */
  follows: PaymentKey | null = null;
  /** Whether its transfer was seen where another payment is noted. */
  isTransferTaken = false;
  /** The row as it was last read or written by its owner here; null: there is none. */
  row: PaymentRow | null = null;

  constructor(
    { key, payment, fingerprint }: Pick<PaymentRow, 'key' | 'payment' | 'fingerprint'>,
    signatures: SignatureCheck,
  ) {
    this.key = key;
    this.id = paymentIdOf(key);
    this.payment = payment;
    this.fingerprint = fingerprint;
    this.spelling = spellingOf(key, payment, fingerprint);
    this.signature = signatures.check(payment);
  }

  /**
   * What names it in a line of the log: the request that it began with, also in another life of the
   * process.
   */
  get ids(): { readonly requestId: string | null; readonly payment: string } {
    return { requestId: (this.row ?? this.work)?.requestId ?? null, payment: this.id };
  }

  /** Whether the payer's own key signed: anybody can write another's address into a payment. */
  get isProven(): boolean {
    return this.signature === 'matches';
  }

  get signer(): Signer {
    return this.isProven ? 'key' : 'contract';
  }

  get sender(): Sender {
    return { caller: this.requested.caller, payer: this.payment.authorization.from, signer: this.signer };
  }

  /** The work, for the steps before there is a row. */
  get requested(): PaidWork {
    if (this.work === null) throw new Error('this payment goes on from its row and has no work');
    return this.work;
  }

  /** The row, for the steps after the claim. */
  get recorded(): PaymentRow {
    if (this.row === null) throw new Error('this payment has no row yet');
    return this.row;
  }
}
