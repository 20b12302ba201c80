import type { Command } from 'commander';
import { freeze, readFreeze, unfreeze } from '../../guard/state/freeze.js';
import { ordersFolder } from '../../guard/state/guard-state.js';
import type { Cli } from '../cli.js';
import { homeOf } from '../client.js';
import { moment } from '../draw/figures.js';
import { EXIT } from '../exit-codes.js';
import { withJson } from '../options.js';
import { plain } from '../plain-text.js';

interface FreezeOptions {
  readonly reason?: string;
  readonly json?: true;
}

const REASON_CHARS_MAX = 200;

const FREEZE_HELP = `
Examples:
  $ preflight freeze --reason "the book looks wrong"
  $ preflight freeze --json`;
const UNFREEZE_HELP = `
Examples:
  $ preflight unfreeze`;

/** Adds `freeze` and `unfreeze`: they call no service, and reach every guarded client of this user. */
export function addFreezeCommands(program: Command, cli: Cli): void {
  const frozen = withJson(program.command('freeze'))
    .summary('stop the entries of all guarded clients')
    .description('Stops the entries of all guarded clients of this user at once. Exits and cancels go on.')
    .option('--reason <text>', 'text that every refusal gives')
    .addHelpText('after', FREEZE_HELP);
  cli.run(frozen, async ({ reason = '', json }: FreezeOptions) => {
    freeze(ordersFolder(homeOf(cli)), {
      atMs: cli.world.system.clock.nowMs(),
      reason: reason.slice(0, REASON_CHARS_MAX),
    });
    return show(cli, json);
  });
  const released = withJson(program.command('unfreeze'))
    .summary('let entries pass again')
    .description('Lets the entries of guarded clients pass again.')
    .addHelpText('after', UNFREEZE_HELP);
  cli.run(released, async ({ json }: FreezeOptions) => {
    unfreeze(ordersFolder(homeOf(cli)));
    return show(cli, json);
  });
}

function show(cli: Cli, json: true | undefined): number {
  const found = readFreeze(ordersFolder(homeOf(cli)));
  if (json) {
    const freeze = found === null ? null : { at: moment(found.atMs), reason: found.reason };
    cli.printJson(JSON.stringify({ ok: true, frozen: found !== null, freeze }));
  } else if (found === null) cli.print(['entries pass']);
  else
    cli.print([
      `entries are frozen since ${moment(found.atMs)}${found.reason === '' ? '' : `: ${plain(found.reason)}`}`,
    ]);
  return EXIT.ok;
}
