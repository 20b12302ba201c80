#!/usr/bin/env node
import { GROUP_NAMES } from './groups.js';

const CALLERS_COMMAND = '../../client/bin/preflight.js';

/**
 * What `preflight` runs in a checkout: the command of callers. For one more version it also runs
 * the groups of `preflightctl`, whose name it was, and says on stderr that they moved.
 */
const group = process.argv.slice(2).find((word) => !word.startsWith('-'));
if (group !== undefined && GROUP_NAMES.includes(group)) {
  process.stderr.write(`preflight: use "preflightctl ${group}"; the next version no longer runs it as "preflight".\n`);
  await import('./main.js');
} else {
  await import(new URL(CALLERS_COMMAND, import.meta.url).href);
}
