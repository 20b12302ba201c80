import type { Command } from 'commander';

/** Returns the group of commands with this name, which is there or is made. */
export function groupOf(program: Command, name: string): Command {
  return program.commands.find((command) => command.name() === name) ?? program.command(name);
}
