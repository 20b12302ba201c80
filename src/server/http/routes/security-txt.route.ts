import { DAY_MS } from '#domain/time';
import type { Route } from '#doors/route';
import type { Clock } from '#system/clock';

/** RFC 9116 wants a date less than a year ahead; whoever keeps the file looks again by then. */
const EXPIRES_AFTER_DAYS = 180;
const CACHE_CONTROL = 'public, max-age=86400';

export interface SecurityTxtDeps {
  readonly baseUrl: string;
  readonly supportEmail: string;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** GET /.well-known/security.txt (RFC 9116): where to report a weakness. */
export function securityTxtRoute({ baseUrl, supportEmail, clock }: SecurityTxtDeps): Route {
  const path = '/.well-known/security.txt';
  const GET = () => {
    const today = Math.floor(clock.nowMs() / DAY_MS) * DAY_MS;
    const lines = [
      `Contact: mailto:${supportEmail}`,
      `Expires: ${new Date(today + EXPIRES_AFTER_DAYS * DAY_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${baseUrl}${path}`,
    ];
    const body = `${lines.join('\n')}\n`;
    return { status: 200, body, contentType: 'text/plain; charset=utf-8', cacheControl: CACHE_CONTROL };
  };
  return { path, methods: { GET } };
}
