interface Mark {
  readonly tone: 'ok' | 'caution' | 'veto' | 'none';
  readonly sign: string;
}

const MARKS: Readonly<Record<string, Mark>> = {
  COPY: { tone: 'ok', sign: '✓' },
  WATCH: { tone: 'caution', sign: '!' },
  VETO: { tone: 'veto', sign: '✕' },
};
const NONE: Mark = { tone: 'none', sign: '·' };

/** The verdict on a wallet: word, colour and sign. */
export function VerdictMark({ verdict }: { readonly verdict: string }) {
  const { tone, sign } = MARKS[verdict] ?? NONE;
  return (
    <strong class="mark" data-tone={tone}>
      <span aria-hidden="true">{sign}</span> {verdict.slice(0, 20).replace('_', ' ')}
    </strong>
  );
}
