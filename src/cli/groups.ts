import type { Command } from 'commander';

interface Group {
  readonly name: string;
  readonly about: string;
  /** Loads what its commands stand on: the store, the tape, the chain. */
  addCommands(group: Command): Promise<void>;
}

const GROUPS: readonly Group[] = [
  {
    name: 'admin',
    about: 'operator commands on a data directory',
    addCommands: async (group) => (await import('./admin/admin.js')).addAdminCommands(group),
  },
  {
    name: 'tape',
    about: 'the trade tape of a data directory',
    addCommands: async (group) => (await import('./tape/tape.js')).addTapeCommands(group),
  },
  {
    name: 'ratings',
    about: 'the wallet ratings of a data directory',
    addCommands: async (group) => (await import('./ratings/ratings.js')).addRatingsCommands(group),
  },
  {
    name: 'store',
    about: 'the store of credits and payments, as a whole',
    addCommands: async (group) => (await import('./store/store.js')).addStoreCommands(group),
  },
];

/**
 * Adds the groups of commands. Only that which a command line names has its commands, and is loaded: `--version` and
 * `--help` need none, and loading all of them is most of the time that a command takes.
 */
export async function addGroups(program: Command, words: readonly string[]): Promise<void> {
  const named = words.find((word) => GROUPS.some(({ name }) => name === word));
  for (const { name, about, addCommands } of GROUPS) {
    const group = program.command(name).description(about);
    if (name === named) await addCommands(group);
  }
}
