/** What lies in the place of a purchase and cannot be read as one. */
export interface DamagedPurchase {
  readonly path: string;
  /** When it was written last; its payment was signed before that, if it was. */
  readonly writtenAtMs: number;
  /** Until when it may be charged; later only if its owner has widened `authorizationS`. */
  readonly overAtMs: number;
}

/** The unfinished purchase of a request cannot be read: nobody knows what was sent for it. */
export class PurchaseDamaged extends Error {
  override readonly name = 'PurchaseDamaged';
  readonly damaged: DamagedPurchase;

  constructor(damaged: DamagedPurchase, what: string, cause?: unknown) {
    super(`${damaged.path} ${what}`, { cause });
    this.damaged = damaged;
  }

  /** What to do now, in one sentence. A name is whole in it, however long. */
  get next(): string {
    const { path, overAtMs } = this.damaged;
    const over = new Date(overAtMs).toISOString().replace('.000', '');
    return `It may have been charged, or may be until ${over}. After that remove ${path}: the same call then starts over`;
  }
}
