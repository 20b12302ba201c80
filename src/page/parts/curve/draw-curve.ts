import { effect, type ReadonlySignal } from '@preact/signals';
import type uPlot from 'uplot';
import type { CurveView } from '../../model/try/curve-view.js';
import { type Colours, coloursOf } from './colours.js';

export interface Drawn {
  readonly end: () => void;
}

type Plot = typeof uPlot;
const DOT_RADIUS_PX = 6;
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7];

/** Draws the curve into its place, again for each new view, size of the place and theme. */
export function drawCurve(Plot: Plot, element: HTMLElement, view: ReadonlySignal<CurveView | null>): Drawn {
  let colours = coloursOf(element);
  let shown: CurveView | null = null;
  element.classList.add('drawn');
  const plot = new Plot(
    {
      ...sizeOf(element),
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { time: false, distr: 3, range: () => [shown?.scale.fromUsd ?? 1, shown?.scale.toUsd ?? 10] },
        y: { range: () => [0, shown?.scale.topCents ?? 1] },
      },
      axes: axesOf(() => colours),
      series: [{}, { stroke: () => colours.text, width: 2, points: { show: false } }],
      hooks: {
        drawClear: [(u) => drawGround(u, shown, colours)],
        draw: [(u) => drawHere(u, shown, colours)],
      },
    },
    [[], []],
    element,
  );
  const stopFollowing = effect(() => {
    shown = view.value;
    plot.setData([
      shown?.points.map(({ usd }) => usd) ?? [],
      shown?.points.map(({ slippageCents }) => slippageCents) ?? [],
    ]);
  });
  const sizes = new ResizeObserver(() => plot.setSize(sizeOf(element)));
  sizes.observe(element);
  const recolour = () => {
    colours = coloursOf(element);
    plot.redraw();
  };
  const themes = new MutationObserver(recolour);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', recolour);
  const end = () => {
    stopFollowing();
    sizes.disconnect();
    themes.disconnect();
    dark.removeEventListener('change', recolour);
    plot.destroy();
  };
  return { end };
}

function sizeOf(element: HTMLElement) {
  return { width: element.clientWidth, height: element.clientHeight };
}

function axesOf(colours: () => Colours): uPlot.Axis[] {
  const common: uPlot.Axis = {
    stroke: () => colours().faint,
    grid: { stroke: () => colours().line, width: 1 },
    ticks: { stroke: () => colours().line, width: 1, size: 4 },
    font: '12px system-ui, sans-serif',
  };
  const usd = (value: number) =>
    POWERS.includes(value) ? Intl.NumberFormat('en', { notation: 'compact' }).format(value) : '';
  return [
    { ...common, size: 30, values: (_, splits) => splits.map(usd) },
    { ...common, size: 44, values: (_, splits) => splits.map((cents) => `${Number(cents.toFixed(2))} ¢`) },
  ];
}

/** The verdict at each size, and the two limits, behind the curve. */
function drawGround({ ctx, bbox, valToPos }: uPlot, view: CurveView | null, colours: Colours): void {
  if (view === null) return;
  for (const { verdict, fromUsd, toUsd } of view.bands) {
    const [from, to] = [valToPos(fromUsd, 'x', true), valToPos(toUsd, 'x', true)];
    ctx.fillStyle = colours.bands[verdict];
    ctx.fillRect(from, bbox.top, to - from, bbox.height);
  }
  ctx.save();
  ctx.setLineDash([6, 6]);
  ctx.lineWidth = 1.5;
  for (const [index, cents] of view.limitsCents.entries()) {
    const y = valToPos(cents, 'y', true);
    if (y < bbox.top) continue;
    ctx.strokeStyle = index === 0 ? colours.caution : colours.veto;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

function drawHere({ ctx, bbox, valToPos }: uPlot, view: CurveView | null, colours: Colours): void {
  if (view === null || view.here === null) return;
  const { usd, slippageCents } = view.here;
  const x = valToPos(Math.max(usd, view.scale.fromUsd), 'x', true);
  const y = Math.max(valToPos(slippageCents, 'y', true), bbox.top);
  ctx.fillStyle = colours.text;
  ctx.strokeStyle = colours.ground;
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.arc(x, y, DOT_RADIUS_PX * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
}
