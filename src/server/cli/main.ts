#!/usr/bin/env node
import { Command } from 'commander';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import { actAsOwner, keepFilesPrivate } from '#compose/private-files';
import { endWithoutReader, exitCodeOf, sayIfUnfinished } from './exit.js';
import { addGroups } from './groups.js';

/**
 * They write to where only who called them may; in a data directory they act as its owner step by
 * step.
 */
const WRITE_ELSEWHERE = ['backup', 'restore', 'export', 'copy'];

/** Of these an empty one counts as unset, as for the service. */
const OWN_VARIABLES = ['DATA_DIR', 'KEYS_DIR', 'STORE_URL', 'POLYGON_RPC_URL'];

keepFilesPrivate();
endWithoutReader();
sayIfUnfinished();
for (const name of OWN_VARIABLES) if (process.env[name]?.trim() === '') delete process.env[name];
const program = new Command('preflightctl')
  .version(PRODUCT_VERSION, '--version', 'print the version')
  .description('Operate a Preflight service: its credits, payments, trades and ratings')
  .showHelpAfterError('Add --help to see the options.')
  .exitOverride()
  .hook('preAction', (_, command) => {
    const { dataDir, keysDir, storeUrl } = command.opts<{ dataDir?: string; keysDir?: string; storeUrl?: string }>();
    if (dataDir === undefined || WRITE_ELSEWHERE.includes(command.name())) return;
    // Keys are all that these write to a folder.
    const writesKeys = storeUrl !== undefined || command.parent?.name() === 'evidence';
    actAsOwner(writesKeys ? (keysDir ?? dataDir) : dataDir);
  });
await addGroups(program, process.argv.slice(2));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
