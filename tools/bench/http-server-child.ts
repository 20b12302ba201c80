import type { ServerRole } from './http-server.js';
import { type Child, startChild } from './support/children.js';

/** Starts the venue, the service or a floor as a process of its own. */
export function startServer<Ready>(role: ServerRole): Promise<Child<Ready>> {
  return startChild<Ready>(new URL('./http-server.js', import.meta.url), role);
}
