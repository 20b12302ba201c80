import { Command } from 'commander';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import { Cli } from './cli.js';
import { addBuyCommand } from './commands/buy.js';
import { addCompletionCommand } from './commands/completion.js';
import { addCopyCommand } from './commands/copy.js';
import { addCreditsCommand } from './commands/credits.js';
import { addEvaluateCommand } from './commands/evaluate.js';
import { addExplainCommand } from './commands/explain.js';
import { addFreezeCommands } from './commands/freeze.js';
import { addGuardCommands } from './commands/guard.js';
import { addLimitsCommand } from './commands/limits.js';
import { addListCommands } from './commands/lists.js';
import { addMcpCommand } from './commands/mcp.js';
import { addProbeCommand } from './commands/probe.js';
import { addRedeemCommand } from './commands/redeem.js';
import { addStatusCommand } from './commands/status.js';
import { addTokenCommand } from './commands/token.js';
import { addVerdictCommand } from './commands/verdict.js';
import { addVerifyCommand } from './commands/verify.js';
import { addWatchCommand } from './commands/watch.js';
import { refuseSecretArguments, withoutSecrets } from './hide-secrets.js';
import { errorText, exitOfError } from './report-error.js';
import { type CliWorld, ENV } from './world/world.js';

const COMMANDS = [
  addVerdictCommand,
  addCopyCommand,
  addWatchCommand,
  addListCommands,
  addVerifyCommand,
  addLimitsCommand,
  addFreezeCommands,
  addGuardCommands,
  addEvaluateCommand,
  addExplainCommand,
  addProbeCommand,
  addStatusCommand,
  addCreditsCommand,
  addRedeemCommand,
  addBuyCommand,
  addTokenCommand,
  addMcpCommand,
  addCompletionCommand,
] as const;

const ABOUT = `
Exit codes: 0 OK or COPY, 10 CAUTION or WATCH (or stale), 20 VETO, 30 QUEUED or NO_COVERAGE, 3 refused by a rule,
4 outcome unknown (the same command again resumes it), 2 not understood, 1 failure.

Environment: ${Object.values(ENV).join(', ')}, NO_COLOR.
Keys and tokens come from files of mode 0600, these variables or a prompt, and never from an argument.`;

/**
 * Runs one command with the arguments after its name. Resolves with the exit code, never rejects.
 */
export async function runCli(args: readonly string[], world: CliWorld): Promise<number> {
  const cli = new Cli(world);
  try {
    refuseSecretArguments(args);
    await programOf(cli).parseAsync(args, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    // What a call was ended for before it had sent a payment comes out as it went in.
    const isEnded = world.signal.aborted && error === world.signal.reason;
    world.err.write(`${errorText(error)}${isEnded ? '  charged: nothing\n' : ''}`);
    return exitOfError(error);
  }
}

/** Returns the program with all its commands. */
function programOf(cli: Cli): Command {
  const { out, err } = cli.world;
  const program = new Command('preflight')
    .version(PRODUCT_VERSION, '--version', 'print the version')
    .description('Should this order be sent, is this wallet worth copying: asked, paid by rules, and checked.')
    .addHelpText('after', ABOUT)
    .showHelpAfterError('Add --help to see the options.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(withoutSecrets(text)),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    });
  for (const add of COMMANDS) add(program, cli);
  return program;
}
