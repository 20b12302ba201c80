import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { CreditsModule } from '#compose/credits';
import { UsageError } from '../exit.js';
import { type AdminOptions, changeAdmin, type Report } from './run.js';

/** What every command takes that takes something from customers. */
export interface TakingOptions extends AdminOptions {
  readonly yes?: true;
  readonly dryRun?: true;
}

/** Something that is taken: what it would be, in words that follow "this would", and the taking. */
export interface Taking {
  readonly describe: (module: CreditsModule) => Promise<string>;
  readonly take: (module: CreditsModule) => Promise<Report>;
}

/** Adds the options of such a command. */
export function withTakingOptions(command: Command): Command {
  return command.option('--dry-run', 'say what it would do, and do nothing').option('--yes', 'do it without asking');
}

/** Takes something from customers, once a person has agreed or `--yes` was given. */
export function runTaking(options: TakingOptions, { describe, take }: Taking): Promise<void> {
  return changeAdmin(options, async (module) => {
    const what = await describe(module);
    if (options.dryRun) return { json: { dry_run: true, would: what }, text: `this would ${what}` };
    if (!options.yes && !(await agrees(what)))
      return { json: { done: false }, text: 'nothing was done', isDone: false };
    return take(module);
  });
}

async function agrees(what: string): Promise<boolean> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) throw new UsageError(`this would ${what}: add --yes to do it, or --dry-run to see it only`);
  const questions = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await questions.question(`this would ${what}. Go on? [y/N] `)).trim());
  } finally {
    questions.close();
  }
}
