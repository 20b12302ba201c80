import { SIGN_TONES, VerdictSign } from '../verdict/verdict-sign.js';

/** The verdict on a wallet: word, colour and sign. */
export function VerdictMark({ verdict }: { readonly verdict: string }) {
  return (
    <strong class="mark" data-tone={SIGN_TONES.get(verdict) ?? 'none'}>
      <VerdictSign verdict={verdict} /> {verdict.slice(0, 20).replace('_', ' ')}
    </strong>
  );
}
