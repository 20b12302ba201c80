import { type Command, Option } from 'commander';
import { UsageError } from './exit.js';

/** What a command is about: its one argument, as all that show or revoke something take it. */
export interface Subject<Read> {
  /** Of the argument, for example "code". */
  readonly name: string;
  readonly about: string;
  /** Reads the text. Throws an InvalidArgumentError. */
  readonly parse?: (text: string) => Read;
  /** The option that took it before: for one more version it still does. */
  readonly formerOption: string;
}

/** Adds the argument, and the option of before, which --help does not show. */
export function withSubject<Read = string>(command: Command, subject: Subject<Read>): Command {
  const { name, about, parse, formerOption } = subject;
  const former = new Option(`--${formerOption} <${name}>`).hideHelp();
  if (parse !== undefined) former.argParser(parse);
  const named =
    parse === undefined ? command.argument(`[${name}]`, about) : command.argument(`[${name}]`, about, parse);
  return named.addOption(former);
}

/** Returns the subject. Throws a UsageError where there is none, or two. */
export function subjectOf<Read>(name: string, given: Read | undefined, former: Read | undefined): Read {
  const subject = given ?? former;
  if (subject === undefined) throw new UsageError(`give the ${name}: see --help`);
  if (given !== undefined && former !== undefined) throw new UsageError(`give the ${name} once`);
  return subject;
}
