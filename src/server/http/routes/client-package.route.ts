import { CLIENT_PACKAGE_PATH } from '#api/client-package';
import type { Route } from '#doors/route';

/** The client's package as npm installs it, and its Subresource Integrity (SHA-512). */
export interface ClientPackage {
  readonly bytes: Uint8Array;
  readonly integrity: string;
}

const CACHE_CONTROL = 'public, max-age=300';

/** GET /client.tgz: what `npm install <address>/client.tgz` takes. */
export function clientPackageRoute({ bytes, integrity }: ClientPackage): Route {
  const digest = integrity.replace(/^sha512-(.*)$/, 'sha-512=:$1:');
  const answer = {
    status: 200,
    body: bytes,
    contentType: 'application/gzip',
    cacheControl: CACHE_CONTROL,
    headers: ['Repr-Digest', digest],
  } as const;
  return { path: CLIENT_PACKAGE_PATH, methods: { GET: () => answer } };
}
