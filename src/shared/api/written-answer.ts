/**
 * An answer that a tool made as JSON text: what is asked for thousands of times a second is written
 * faster than an object is serialised.
 */
export class WrittenAnswer {
  constructor(
    /**
     * Without `paid` and without the brace that ends it, because what is added comes before that: to take
     * it off again would copy the whole text once more.
     */
    readonly begun: string,
    /** When it will be made anew, in seconds since the epoch; null: it does not give one. */
    readonly nextRefreshS: number | null = null,
    /** Its `verdict`; null: it has none of its own. */
    readonly verdict: string | null = null,
  ) {}

  /** Without `paid`. */
  get text(): string {
    return `${this.begun}}`;
  }
}

/** Returns an answer without `paid` as JSON text. */
export function textOf(answer: object): string {
  return answer instanceof WrittenAnswer ? answer.text : JSON.stringify(answer);
}
