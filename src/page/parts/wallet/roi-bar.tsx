import { signedPctText } from '../../model/texts.js';
import { intervalBar } from '../../model/wallet/interval-bar.js';

interface RoiBarProps {
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly figure: number | null;
  /** The largest return that the bar shows, to both sides. */
  readonly scale: number;
}

/** A return with its interval, drawn around zero. Whoever does not see it hears the figures. */
export function RoiBar({ interval, figure, scale }: RoiBarProps) {
  const bar = intervalBar(interval, figure, scale);
  if (bar === null) return <span class="faint">no interval</span>;
  const { from, to, at, isCut } = bar;
  const tone = from > 50 ? 'ok' : to < 50 ? 'veto' : 'caution';
  const text = `95% interval ${signedPctText(interval?.low)} to ${signedPctText(interval?.high)}${isCut ? ', cut off' : ''}`;
  return (
    <svg class="roi-bar" viewBox="0 0 100 16" preserveAspectRatio="none" role="img" aria-label={text} data-tone={tone}>
      <rect class="roi-ground" x="0" y="6" width="100" height="4" rx="2" />
      <rect class="roi-span" x={from} y="4" width={Math.max(0.8, to - from)} height="8" rx="1.5" />
      <line class="roi-zero" x1="50" x2="50" y1="0" y2="16" vector-effect="non-scaling-stroke" />
      {at !== null && <line class="roi-at" x1={at} x2={at} y1="2" y2="14" vector-effect="non-scaling-stroke" />}
    </svg>
  );
}
