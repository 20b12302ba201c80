import { Command } from 'commander';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import { Cli } from './cli.js';
import { addBuyCommand } from './commands/buy.js';
import { addCopyCommand } from './commands/copy.js';
import { addCreditsCommand } from './commands/credits.js';
import { addLimitsCommand } from './commands/limits.js';
import { addListCommands } from './commands/lists.js';
import { addMcpCommand } from './commands/mcp.js';
import { addProbeCommand } from './commands/probe.js';
import { addRedeemCommand } from './commands/redeem.js';
import { addStatusCommand } from './commands/status.js';
import { addVerdictCommand } from './commands/verdict.js';
import { addVerifyCommand } from './commands/verify.js';
import { addWatchCommand } from './commands/watch.js';
import { refuseSecretArguments, withoutSecrets } from './hide-secrets.js';
import { errorText, exitOfError } from './tell-error.js';
import type { CliWorld } from './world/world.js';

const COMMANDS = [
  addVerdictCommand,
  addCopyCommand,
  addWatchCommand,
  addListCommands,
  addVerifyCommand,
  addLimitsCommand,
  addProbeCommand,
  addStatusCommand,
  addCreditsCommand,
  addRedeemCommand,
  addBuyCommand,
  addMcpCommand,
] as const;

/** Runs one command with the arguments after its name. Resolves with the exit code, never rejects. */
export async function runCli(args: readonly string[], world: CliWorld): Promise<number> {
  const cli = new Cli(world);
  try {
    refuseSecretArguments(args);
    await programOf(cli).parseAsync(args, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    world.err.write(errorText(error));
    return exitOfError(error);
  }
}

/** Returns the program with all its commands. */
function programOf(cli: Cli): Command {
  const { out, err } = cli.world;
  const program = new Command('preflight')
    .version(PRODUCT_VERSION, '--version', 'print the version')
    .description('Should this order be sent, is this wallet worth copying: asked, paid by rules, and checked.')
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
