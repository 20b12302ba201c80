/** Returns the URL as it may be shown: without the password, and without what follows the name of the database. */
export function maskedUrl(url: string): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === '' ? '' : `${username}:***@`}${host}${pathname}`;
}
