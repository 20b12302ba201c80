import { type DiscoveryFile, LONG_CACHE_S } from './discovery-file.js';

/** A check mark on a dark square. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" role="img" aria-label="Preflight">' +
  '<rect width="32" height="32" rx="7" fill="#14213d"/>' +
  '<path d="M8 17l5.5 5.5L24.5 10" fill="none" stroke="#7ae582" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>\n';

/** /favicon.svg: directories of paid endpoints show it. */
export function favicon(): DiscoveryFile {
  return { path: '/favicon.svg', contentType: 'image/svg+xml', body: SVG, cacheSeconds: LONG_CACHE_S };
}
