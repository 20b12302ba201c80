/** One CSV import in the place of others. */
export interface Exchange {
  /** Whether an import, by the name of its segment, is taken back. */
  readonly drops: (name: string) => boolean;
  readonly name: string;
  /** What it adds: relations of `FILL_COLUMNS`, and of the columns of the layers with `ordinal`. */
  readonly fills: string;
  readonly markets: string;
  readonly names: string;
}
