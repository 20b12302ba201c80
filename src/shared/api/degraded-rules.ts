/**
 * Why the service is degraded, by the name of the rule; `component_down` is followed by the
 * component.
 */
export const DEGRADED_RULES = {
  component_down: 'A component did not answer well when it was last called, or a socket brings no data.',
  books_stale: 'The median age of the books held is above 60 s: most verdicts wait for the venue.',
  frames_slow:
    'More than one in ten frames of level changes is not as usual and has to be parsed: books cost three times as much.',
  ratings_missing: 'No board of wallet ratings is in force.',
  ratings_stale: 'The board in force is older than the last refresh that was due.',
  tape_short: 'The tape of the board begins within its 90 days: no wallet of it is rated COPY.',
  clock_skew: 'The clock of this machine and those of the chain, the venue or others are more than 5 s apart.',
  queue_slow: 'A wallet has waited for its rating for more than an hour.',
  payments_unresolved: 'More than 10 payments have an outcome that is not known yet.',
  payments_unverified: 'More than half of the payments of the last five minutes could not be verified.',
  settlement_unproven:
    'A reported settlement was refuted by the chain in the last 24 hours, or has waited for its proof for more than 10 minutes.',
} as const;
