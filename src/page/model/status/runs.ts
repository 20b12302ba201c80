import { DAY_S } from '#domain/time';

/** Minutes after each other in one state. What is between runs was not seen. */
export interface Run {
  readonly isBad: boolean;
  /** Since 24 hours ago. */
  readonly fromMin: number;
  readonly minutes: number;
}

interface RunsOptions {
  readonly intervalS: number;
  /** When the day ends. */
  readonly nowS: number;
}

/**
 * Returns the runs of samples, the oldest first. A sample holds until the next one, or for its
 * interval if that one is missing.
 */
export function runsOf<Sample extends { readonly t: number }>(
  samples: readonly Sample[],
  isBad: (sample: Sample) => boolean,
  { intervalS, nowS }: RunsOptions,
): readonly Run[] {
  const startS = nowS - DAY_S;
  const runs: { isBad: boolean; fromS: number; untilS: number }[] = [];
  for (const [at, sample] of samples.entries()) {
    const nextS = samples[at + 1]?.t ?? Number.POSITIVE_INFINITY;
    const untilS = Math.min(nextS - sample.t < intervalS * 2 ? nextS : sample.t + intervalS, nowS);
    const state = isBad(sample);
    const last = runs.at(-1);
    if (last !== undefined && last.isBad === state && last.untilS === sample.t) last.untilS = untilS;
    else runs.push({ isBad: state, fromS: sample.t, untilS });
  }
  return runs.map(({ isBad, fromS, untilS }) => ({
    isBad,
    fromMin: tenth((fromS - startS) / 60),
    minutes: tenth((untilS - fromS) / 60),
  }));
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
