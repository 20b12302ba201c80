/**
 * An answer that nobody pays for: a wallet that is QUEUED (202) or has NO_COVERAGE (200). A tool
 * resolves with it instead of its body; then no payment is settled, no credit debited and nothing
 * kept for repeats (docs/interface.md, "Error object").
 */
export class FreeAnswer {
  constructor(
    readonly status: 200 | 202,
    /** Becomes the JSON body as it is, without `paid`. */
    readonly body: object,
    /** For the Retry-After header; null: there is nothing to wait for. */
    readonly retryAfterS: number | null = null,
  ) {}
}
