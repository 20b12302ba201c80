/** Whether a text is the URL of a PostgreSQL database, as far as its form goes. */
export function isDatabaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, pathname } = new URL(text);
  return /^postgres(ql)?:$/.test(protocol) && host !== '' && pathname.length > 1;
}

/**
 * Returns the URL of a database as it may be shown: without the password, and without what follows
 * the name of the database, which may hold secrets as well.
 */
export function maskedUrl(url: string): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === '' ? '' : `${username}:***@`}${host}${pathname}`;
}
