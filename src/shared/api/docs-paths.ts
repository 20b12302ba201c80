import { ENDPOINTS } from './endpoints.js';

/** Pages of the documentation that are not about one endpoint, by their name. */
export const GUIDE_PATHS = {
  start: '/docs',
  payments: '/docs/payments',
  mcp: '/docs/mcp',
  errors: '/docs/errors',
  verify: '/docs/verify',
  limits: '/docs/limits',
  schemas: '/docs/schemas',
} as const;

/** Returns where an endpoint is described, as in "/docs/check-order". */
export function endpointDocsPath(operationId: string): string {
  return `/docs/${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Every page of the documentation, in the order of its contents. */
export const DOCS_PATHS: readonly string[] = [
  ...Object.values(GUIDE_PATHS),
  ...ENDPOINTS.map(({ operationId }) => endpointDocsPath(operationId)),
];
