import type { Request } from 'express';

/**
 * Returns every value of a query parameter, repeated or separated by commas, as the venue accepts
 * both.
 */
export function queryList(request: Request, name: string): string[] {
  const value: unknown = request.query[name];
  const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return values.flatMap((each) => String(each).split(',')).filter((each) => each !== '');
}

/** Returns the first value of a query parameter, or undefined. */
export function queryText(request: Request, name: string): string | undefined {
  return queryList(request, name)[0];
}

/** Returns a true/false parameter, or undefined if it is absent or neither. */
export function queryFlag(request: Request, name: string): boolean | undefined {
  const text = queryText(request, name);
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/**
 * Returns a whole number between the limits: the usual one where absent or not a number, the
 * nearest limit beyond.
 */
export function queryCount(request: Request, name: string, usual: number, least: number, most: number): number {
  const count = Number(queryText(request, name) ?? Number.NaN);
  return Number.isInteger(count) ? Math.min(Math.max(count, least), most) : usual;
}
