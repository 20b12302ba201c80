import type { EventKind } from './planned-market.js';

/**
 * What a wallet's trades come to. blind: it picks tokens without looking at the result. steered: it
 * is given winners and losers so that a copier's return per dollar, costs included, stays at
 * `returnAt(day)`, within about half a bet. fragile: steered to a return between what is left
 * before fees and after them. sure: it only ever wins.
 */
export type Aim =
  | { readonly kind: 'blind' }
  | { readonly kind: 'steered'; readonly returnAt: (day: number) => number }
  | { readonly kind: 'fragile' }
  | { readonly kind: 'sure' };

/** Which markets a wallet enters, when, at what prices and how big. */
export interface Habit {
  readonly kinds: readonly EventKind[];
  /** Of the events of a kind it takes those whose ordinal, divided by `every`, leaves `offset`. */
  readonly every: number;
  readonly offset: number;
  /** Every market of the event, not its first one alone. */
  readonly wholeEvent?: boolean;
  /** Part of the market's life in which it enters. */
  readonly lived: readonly [number, number];
  /** Prices, of the token bought, at which it enters. */
  readonly band: readonly [number, number];
  readonly clipUsd: number;
  readonly aim: Aim;
  /** Days on which it trades; every day where absent. */
  readonly active?: (day: number) => boolean;
  /** Buys the other outcome as well, minutes later. */
  readonly bothSides?: boolean;
}

/** Returns an aim that is the same every day. */
export function steady(returnPerUsd: number): Aim {
  return { kind: 'steered', returnAt: () => returnPerUsd };
}

/**
 * Returns an aim that goes round: the first step whose `until` lies beyond the day of the round is
 * in force.
 */
export function rounds(
  length: number,
  offset: number,
  steps: readonly { readonly until: number; readonly returnPerUsd: number }[],
): Aim {
  const stepAt = (day: number) => steps.find(({ until }) => (day + length - offset) % length < until) ?? steps.at(-1);
  return { kind: 'steered', returnAt: (day) => stepAt(day)?.returnPerUsd ?? 0 };
}

/** A coin is not asked: the token is taken as it comes. */
export const BLIND: Aim = { kind: 'blind' };
