/** The panels of a profile, by what is in each. */
const PANELS = [
  { title: 'Verdict', words: 'COPY, WATCH or VETO, with the reason and its numbers' },
  { title: 'Return', words: 'what a copier made after fees, with its 95% interval' },
  { title: "Copier's profit", words: 'month by month, with the month that tests it' },
  { title: 'Prices', words: 'a histogram of what it pays' },
  { title: 'Categories', words: 'sports, politics, crypto and others' },
  { title: 'Farming screen', words: 'how much of its volume no copier could follow' },
] as const;

interface LockedProps {
  /** Shortened. */
  readonly address: string;
  readonly isLoading: boolean;
}

/**
 * The outline of a profile that is not there yet. Nothing of another wallet is shown under an
 * address that somebody gave.
 */
export function Locked({ address, isLoading }: LockedProps) {
  return (
    <section class="locked" aria-labelledby="locked-title" aria-busy={isLoading}>
      <h2 id="locked-title">
        {isLoading ? 'Looking for' : 'Locked: the rating of'} <span class="number">{address}</span>
      </h2>
      {!isLoading && (
        <p class="faint">
          Nothing is known of this wallet here until you pay for its rating. <a href="/wallet">See a whole example</a>.
        </p>
      )}
      <ul>
        {PANELS.map(({ title, words }) => (
          <li key={title}>
            <strong>
              <Lock /> {title}
            </strong>
            <span class="faint">{words}</span>
            <Outline />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lock() {
  return (
    <svg class="lock" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z" />
    </svg>
  );
}

function Outline() {
  return (
    <svg class="outline" viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true">
      <rect width="88" height="7" rx="2" />
      <rect y="12" width="64" height="7" rx="2" />
      <rect y="24" width="76" height="6" rx="2" />
    </svg>
  );
}
