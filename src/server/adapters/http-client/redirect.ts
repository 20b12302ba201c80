/**
 * How every call to an upstream treats redirects: the answer itself comes back, to be refused. Not
 * `error`: with it Node 20 lets go of the signal of a call once its headers are there, and after
 * the next garbage collection a body that never ends has no time limit any more.
 */
export const REDIRECT = 'manual';

/** Whether an answer sends its caller elsewhere. */
export function isRedirect({ status }: Pick<Response, 'status'>): boolean {
  return status >= 300 && status < 400 && status !== 304;
}
