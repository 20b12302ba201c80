import { asObject } from '#domain/json';

/** Calls of a client that is known by its form alone: it is no dependency of this package. */

export type Method = (...args: readonly unknown[]) => unknown;

/** Returns a method of a client, to be called with a `this` of its own. */
export function methodOf(client: object, name: string): Method {
  const found = Reflect.get(client, name, client);
  if (typeof found !== 'function') throw new TypeError(`the client has no ${name}`);
  return found as Method;
}

/** Calls a method of a client on itself or on a view of it. */
export async function callOn(client: object, name: string, args: readonly unknown[], view = client): Promise<unknown> {
  return Reflect.apply(methodOf(client, name), view, args);
}

/** What a client writes into itself while an order is posted: the order version that the venue wants. */
const WRITTEN = 'cachedVersion';

/**
 * Returns the client with other values for some of its members. All else it finds in itself: the
 * guard stands in the way of no member, and sees none.
 */
export function viewOf(client: object, others: Readonly<Record<string, unknown>>): object {
  const values = Object.entries(others).map(([key, value]) => [key, { value, writable: true }] as const);
  const written = {
    get: () => Reflect.get(client, WRITTEN, client),
    set: (value: unknown) => void Reflect.set(client, WRITTEN, value, client),
  };
  return Object.create(client, { ...Object.fromEntries(values), [WRITTEN]: written });
}

/** A copy: the venue's clients write into what they are given. */
export function copyOf(value: unknown): Readonly<Record<string, unknown>> {
  return { ...asObject(value) };
}

/** A number as callers give it, also as text; null if it is none above zero. */
export function positive(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null;
}

/** The worst price that an owner named; null: none. What is no price lets nothing be filled. */
export function worstPrice(value: unknown, side: 'BUY' | 'SELL'): number | null {
  if (value === undefined || value === null) return null;
  return positive(value) ?? (side === 'BUY' ? 0 : 1);
}

/** What an owner says they have at most; null: nothing. What is no amount covers no order. */
export function mostUsd(value: unknown): number | null {
  return value === undefined || value === null ? null : (positive(value) ?? 0);
}

/** Returns the side of an order, by either spelling of the clients. */
export function sideOf(value: unknown): 'BUY' | 'SELL' {
  // What is neither is refused by the client; for the guard it is what it stops.
  return value === 'SELL' || value === 1 ? 'SELL' : 'BUY';
}
