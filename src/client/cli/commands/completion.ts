import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';

const HELP = `
Examples:
  $ preflight completion bash
  $ preflight completion zsh
  $ preflight completion fish

Load it, for example: source <(preflight completion bash), or in fish: preflight completion fish | source.`;

/** A command with its words and options, as a shell completes them. */
interface Completed {
  readonly name: string;
  readonly about: string;
  readonly words: readonly string[];
}

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SHELLS;

/** Adds `completion`: a script for a shell, made of the commands that there are. */
export function addCompletionCommand(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .summary('print a completion script for bash, zsh or fish')
    .description('Prints a script by which a shell completes commands and options. Works offline.')
    .argument('<shell>', 'bash, zsh or fish', readShell)
    .addHelpText('after', HELP);
  cli.run(command, async (shell: Shell) => {
    cli.print([SHELLS[shell](completed(program))]);
    return EXIT.ok;
  });
}

function readShell(text: string): Shell {
  if (!Object.hasOwn(SHELLS, text)) throw new InvalidArgumentError('Give bash, zsh or fish.');
  return text as Shell;
}

function completed(program: Command): readonly Completed[] {
  return program.commands.map((command) => ({
    name: command.name(),
    about: command.summary() || command.description(),
    words: [
      ...command.commands.map((nested) => nested.name()),
      ...command.options.flatMap(({ long, hidden }) => (hidden || !long ? [] : [long])),
      '--help',
    ],
  }));
}

function bashScript(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, words }) => `    ${name}) words="${words.join(' ')}" ;;`);
  return `_preflight() {
  local words="${commands.map(({ name }) => name).join(' ')} --help --version"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _preflight preflight`;
}

function zshScript(commands: readonly Completed[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
}

function fishScript(commands: readonly Completed[]): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  const names = commands.map(
    ({ name, about }) => `complete -c preflight -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
  );
  const options = commands.flatMap(({ name, words }) =>
    words.map((word) => {
      const given = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c preflight -n '__fish_seen_subcommand_from ${name}' ${given}`;
    }),
  );
  return [...names, ...options].join('\n');
}
