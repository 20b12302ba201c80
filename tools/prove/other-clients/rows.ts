import { DEBIAN_ROWS } from './debian-rows.js';
import { MCP_ROWS } from './mcp-rows.js';
import { OPENAPI_ROWS } from './openapi-rows.js';
import { PAGE_ROWS } from './page-rows.js';
import { REST_ROWS } from './rest-rows.js';
import type { Row } from './row.js';
import { VENUE_ROWS } from './venue-rows.js';

/** All that is tried, in the order of the page. */
export const ROWS: readonly Row[] = [
  ...REST_ROWS,
  ...PAGE_ROWS,
  ...MCP_ROWS,
  ...OPENAPI_ROWS,
  ...DEBIAN_ROWS,
  ...VENUE_ROWS,
];
