import { expect } from 'chai';
import { Command, type Option } from 'commander';
import { addAdminCommands } from '#cli/admin/admin';
import { addRatingsCommands } from '#cli/ratings/ratings';
import { addStoreCommands } from '#cli/store/store';
import { addTapeCommands } from '#cli/tape/tape';
import { addVenueCommands } from '#cli/venue/venue';
import { markdownPages } from '#test/support/source-tree';

const PROGRAM = new Command('preflightctl');
for (const add of [addAdminCommands, addTapeCommands, addRatingsCommands, addStoreCommands, addVenueCommands]) {
  add(PROGRAM);
}

/**
 * Commands as pages write them: the rooms of the program, and what comes behind them on the line.
 */
const WRITTEN = /\bpreflightctl ((?:admin|tape|ratings|store|venue) [^`\n|]*)/g;

/** What is wrong with a written command, or null. */
function faultOf(written: string): string | null {
  const words = written.trim().split(/\s+/);
  let command = PROGRAM;
  while (words.length > 0) {
    const next = command.commands.find((one) => one.name() === words[0]);
    if (next === undefined) break;
    command = next;
    words.shift();
  }
  const isWhole = command.commands.length === 0;
  if (!isWhole && /^[a-z]/.test(words[0] ?? '')) return `${command.name()} has no ${words[0]}`;
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.replace(/[^\w-].*$/, ''));
  const unknown = isWhole ? options.filter((name) => !command.options.some(({ long }) => long === name)) : [];
  return unknown.length === 0 ? null : `${command.name()} has no ${unknown.join(', ')}`;
}

describe('commands for operators that pages name', () => {
  const commands = markdownPages()
    .filter(({ path }) => path.startsWith('docs/') || path.endsWith('README.md'))
    .flatMap(({ path, text }) => [...text.matchAll(WRITTEN)].map(([, written]) => ({ path, written: written! })));

  it('exist, with the options that they are named with', () => {
    expect(commands.length).to.be.above(30);
    const faults = commands.flatMap(({ path, written }) => {
      const fault = faultOf(written);
      return fault === null ? [] : [`${path}: preflightctl ${written}: ${fault}`];
    });
    expect(faults).to.deep.equal([]);
  });

  it('would be missed if they were renamed', () => {
    expect(faultOf('admin wallets show WALLET')).to.equal('admin has no wallets');
    expect(faultOf('admin ledger WALLET --max 3')).to.equal('ledger has no --max');
    expect(faultOf('store check --data-dir DATA_DIR')).to.equal(null);
  });
});

describe('the help of preflightctl', () => {
  const whole = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(whole);
  /** What an option makes of the default that its help shows. */
  const taken = ({ defaultValue, defaultValueDescription, parseArg }: Option): unknown => {
    const shown = defaultValueDescription ?? String(defaultValue);
    return parseArg === undefined ? shown : parseArg(shown, undefined);
  };

  it('shows defaults that an option takes when they are given to it', () => {
    const options = whole(PROGRAM).flatMap((command) =>
      command.options
        .filter(({ defaultValue }) => defaultValue !== undefined)
        .map((option) => ({ name: `${command.name()} ${option.long}`, option })),
    );
    expect(options.length).to.be.above(10);
    for (const { name, option } of options) expect(taken(option), name).to.deep.equal(option.defaultValue);
  });
});
