/** What one clock says: its date, less the elapsed time at which it was read. */
export interface Vote {
  readonly offsetMs: number;
}

/**
 * Returns the first of those that most agree with, where two or more do; null: they are too few, or
 * as many agree upon another time.
 */
export function agreement(votes: readonly Vote[], apartMsMax: number): Vote | null {
  const groups = votes.map(({ offsetMs }) => votes.filter((one) => Math.abs(one.offsetMs - offsetMs) <= apartMsMax));
  const most = Math.max(...groups.map(({ length }) => length));
  if (most < 2) return null;
  const [first, ...rivals] = groups.filter(({ length }) => length === most);
  const isContradicted = rivals.some((rival) => !rival.some((vote) => first!.includes(vote)));
  return isContradicted ? null : first![0]!;
}
