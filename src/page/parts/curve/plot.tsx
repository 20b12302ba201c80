import type { ComponentChildren } from 'preact';
import { acrossOf, sizeTicks, slippageTicks, upOf } from '../../model/order/curve-shape.js';
import { compactUsd } from '../../model/order/grouped.js';
import { partText } from '../../model/texts.js';
import type { CurveView } from '../../model/try/curve-view.js';

/** The picture of a curve, with its axes and what is marked on it. It is the same with and without script. */
export function Plot({ view }: { readonly view: CurveView | null }) {
  return (
    <div class="plot">
      {view === null ? <p class="empty">No curve yet: it takes an order book and a size.</p> : <Drawing view={view} />}
    </div>
  );
}

function Drawing({ view }: { readonly view: CurveView }) {
  return (
    <svg class="plane" aria-hidden="true">
      <Bands view={view} />
      <Axes view={view} />
      <Limits view={view} />
      <Line view={view} />
      <SizeMarks view={view} />
      <Here view={view} />
    </svg>
  );
}

/** Places are written in hundredths of the plane, so that nobody has to measure it. */
function xOf({ scale }: CurveView, usd: number): string {
  return partText(acrossOf(scale, usd));
}

function yOf({ scale }: CurveView, cents: number): string {
  return partText(1 - upOf(scale, cents));
}

function Bands({ view }: { readonly view: CurveView }) {
  const { bands, scale } = view;
  return bands.map(({ verdict, fromUsd, toUsd }) => (
    <rect
      class={`band ${verdict.toLowerCase()}`}
      x={xOf(view, fromUsd)}
      y="0"
      width={partText(acrossOf(scale, toUsd) - acrossOf(scale, fromUsd))}
      height="100%"
    />
  ));
}

/** A label nearer than this to either end of its axis would be cut, or lie over another. */
const EDGE = 0.02;

function Axes({ view }: { readonly view: CurveView }) {
  const { scale } = view;
  return (
    <>
      {slippageTicks(scale).map((cents) => (
        <>
          <line class="grid" x1="0" x2="100%" y1={yOf(view, cents)} y2={yOf(view, cents)} />
          <text class="tick" x="0" dx="-8" y={yOf(view, cents)} dy="4" text-anchor="end">
            {cents}¢
          </text>
        </>
      ))}
      {sizeTicks(scale)
        .filter((usd) => acrossOf(scale, usd) < 1 - EDGE)
        .map((usd) => (
          <>
            <line class="grid" x1={xOf(view, usd)} x2={xOf(view, usd)} y1="0" y2="100%" />
            <text class="tick" x={xOf(view, usd)} y="100%" dy="18" text-anchor="middle">
              {compactUsd(usd)}
            </text>
          </>
        ))}
      <text class="axis" x="100%" y="100%" dy="36" text-anchor="end">
        Size of the order, log scale
      </text>
    </>
  );
}

function Limits({ view }: { readonly view: CurveView }) {
  const [cautionC, vetoC] = view.limitsCents;
  return (
    <>
      <Limit view={view} cents={cautionC} tone="caution">
        CAUTION above {cautionC}¢
      </Limit>
      <Limit view={view} cents={vetoC} tone="veto">
        VETO from {vetoC}¢
      </Limit>
    </>
  );
}

interface LimitProps {
  readonly view: CurveView;
  readonly cents: number;
  readonly tone: 'caution' | 'veto';
  readonly children: ComponentChildren;
}

function Limit({ view, cents, tone, children }: LimitProps) {
  const y = yOf(view, cents);
  return (
    <>
      <line class={`limit-line ${tone}`} x1="0" x2="100%" y1={y} y2={y} />
      <text class={`limit-text ${tone}`} x="0" dx="6" y={y} dy="-5">
        {children}
      </text>
    </>
  );
}

/** The units of the line, which is stretched to the plane. */
const [WIDE, HIGH] = [1000, 300];

function Line({ view: { points, scale } }: { readonly view: CurveView }) {
  const x = (usd: number) => (acrossOf(scale, usd) * WIDE).toFixed(0);
  const y = (cents: number) => (HIGH - upOf(scale, cents) * HIGH).toFixed(0);
  return (
    <svg aria-hidden="true" width="100%" height="100%" viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none">
      <polyline points={points.map(({ usd, slippageCents }) => `${x(usd)},${y(slippageCents)}`).join(' ')} />
    </svg>
  );
}

/** What is left of the venue's least size, and where the safe size ends. */
function SizeMarks({ view }: { readonly view: CurveView }) {
  const { scale, minimumUsd, safeUsd } = view;
  return (
    <>
      {minimumUsd !== null && (
        <>
          <rect class="below" x="0" y="0" width={xOf(view, minimumUsd)} height="100%" />
          <text class="mark-text" x="0" dx="4" y="0" dy="14">
            below minimum
          </text>
        </>
      )}
      {safeUsd !== null && (
        <>
          <line class="safe-line" x1={xOf(view, safeUsd)} x2={xOf(view, safeUsd)} y1="0" y2="100%" />
          <text class="mark-text safe" x={xOf(view, safeUsd)} y="0" dy="31" {...besideOf(acrossOf(scale, safeUsd))}>
            safe size {compactUsd(safeUsd)}
          </text>
        </>
      )}
    </>
  );
}

/** A text on the side of its mark where there is room. */
function besideOf(part: number) {
  return part > 0.5 ? ({ dx: -6, 'text-anchor': 'end' } as const) : ({ dx: 6, 'text-anchor': 'start' } as const);
}

const DOT_RADIUS_PX = 6;

function Here({ view }: { readonly view: CurveView }) {
  if (view.here === null) return null;
  return (
    <circle class="here" cx={xOf(view, view.here.usd)} cy={yOf(view, view.here.slippageCents)} r={DOT_RADIUS_PX} />
  );
}
