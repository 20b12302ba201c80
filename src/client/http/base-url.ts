/**
 * Returns the address of a service without a slash at its end: paths are written behind it. Throws
 * a TypeError where that would end in a query or a fragment, or if it is no address.
 */
export function toBaseUrl(text: string): string {
  const { href } = new URL(text);
  const path = href.replace(/[?#].*$/, '');
  if (path === href) return href.replace(/\/+$/, '');
  throw new TypeError(`the address of the service has a query or a fragment: write ${path}`);
}
