/**
 * One customer, one key: an IPv6 customer has a whole /64, and an IPv4 address may come in IPv6
 * clothes.
 */
export function rateKey(address: string): string {
  const bare = withoutPort(address)
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '');
  if (!bare.includes(':')) return bare;
  const [head = '', tail] = bare.split('::');
  const groups = head === '' ? [] : head.split(':');
  const tailGroups = tail === undefined || tail === '' ? [] : tail.split(':');
  if (tail !== undefined) groups.push(...Array<string>(Math.max(0, 8 - groups.length - tailGroups.length)).fill('0'));
  return [...groups, ...tailGroups]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Some proxies name the port, too. */
function withoutPort(address: string): string {
  return address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}
