import { Command } from 'commander';
import { exitCodeOf } from '#cli/exit';
import { addTapeCommands } from '#cli/tape/tape';

/** The tape commands as a program of their own. */
const program = new Command('preflight').showHelpAfterError('Add --help to see what can be given.').exitOverride();
addTapeCommands(program);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
