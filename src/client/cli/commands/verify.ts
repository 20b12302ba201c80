import type { Command } from 'commander';
import { asObject, type JsonObject } from '#domain/json';
import type { Check } from '../../evidence/check.js';
import { type EvidenceJwks, parseJwks } from '../../evidence/jws.js';
import { verifyAnswer } from '../../evidence/verify.js';
import { DATA_URL, readMarketFills } from '../../http/public-fills.js';
import type { Cli } from '../cli.js';
import { compareBook } from '../compare-book.js';
import { comparedSummary, compareEntries, type MarketFills } from '../compare-entries.js';
import { moment } from '../draw/figures.js';
import { drawChecks } from '../draw/verification.js';
import { EXIT } from '../exit-codes.js';
import { fetchIssuerKeys, storedIssuerKeys } from '../issuer-keys.js';
import { serviceUrl, wholeNumber, withJson } from '../options.js';
import { plain } from '../plain-text.js';
import { readJson } from '../read-json.js';
import { UsageError } from '../usage-error.js';
import { ENV } from '../world/world.js';

interface VerifyCommandOptions {
  readonly keys?: string;
  readonly fetchKeys?: true;
  readonly book?: string;
  /** True: as many as are usual. */
  readonly againstVenue?: number | true;
  readonly dataUrl: string;
  readonly url?: string;
  readonly json?: true;
}

const NO_KEYS: EvidenceJwks = { keys: [] };

const HELP = `
Exit codes: 0 all of it holds, 1 something does not.

Examples:
  $ preflight verify verdict.json
  $ preflight verify - --fetch-keys --json < verdict.json
  $ preflight verify wallet.json --against-venue 20`;

/** Entries that are looked up unless a number is given, and at most: each is a question to the venue. */
const ENTRIES_USUAL = 10;
const ENTRIES_MAX = 200;

/** Adds `verify`: offline, unless --fetch-keys is given. */
export function addVerifyCommand(program: Command, cli: Cli): void {
  const command = withJson(program.command('verify'))
    .summary('check the evidence of an answer by computing it again; offline')
    .description(
      'Checks a verdict or a rating that carries evidence: the signature, and that all of it follows from the levels or the ' +
        'entries in it. Offline: the keys are those that `verdict` or `copy --evidence` kept, or a file. That the venue had these ' +
        "levels is the service's word, unless they equal a book that someone else recorded (--book); that the wallet made these " +
        "entries, unless the venue's public trades list them (--against-venue).",
    )
    .argument('<file>', 'the answer as JSON; - reads standard input')
    .option('--url <url>', `the service that it has to be of (or ${ENV.url}); else any whose keys are known`)
    .option('--keys <file>', "the issuer's /.well-known/jwks.json")
    .option('--fetch-keys', 'ask the service of --url for its keys now')
    .option('--book <file>', 'compare with a book that someone else recorded: JSON of the venue, GET /book')
    .option(
      '--against-venue [entries]',
      `look so many entries of a rating up in the venue's public trades (${ENTRIES_USUAL})`,
      entriesCount,
    )
    .option('--data-url <url>', "address of the venue's Data API", DATA_URL)
    .addHelpText('after', HELP);
  cli.run(command, async (file: string, options: VerifyCommandOptions) => {
    const answer = await readJson(file, cli);
    const { jwks, check, issuer } = await keysFor(answer, options, cli);
    const verified = await verifyAnswer(answer, issuer === null ? { jwks } : { jwks, issuer });
    const recorded = options.book === undefined ? [] : compareBook(answer, await readJson(options.book, cli));
    const lookedUp = options.againstVenue === undefined ? [] : await againstVenue(answer, options, cli);
    const checks: readonly Check[] = [check, ...verified.checks, ...recorded, ...lookedUp];
    const holds = checks.every((one) => one.holds !== false);
    if (options.json) cli.printJson(JSON.stringify({ ok: true, holds, checks }));
    else {
      const word = holds ? whatIsWord(answer, options, lookedUp) : [];
      cli.print([...drawChecks(checks, cli.frame), ...word, verdictLine(holds, cli)]);
    }
    return holds ? EXIT.ok : EXIT.failure;
  });
}

function entriesCount(text: string): number {
  const count = wholeNumber(text);
  if (count < 1 || count > ENTRIES_MAX) throw new UsageError(`--against-venue is 1 to ${ENTRIES_MAX} entries`);
  return count;
}

function againstVenue(answer: JsonObject, { againstVenue, dataUrl }: VerifyCommandOptions, cli: Cli) {
  if (!isOfWallet(answer)) throw new UsageError('--against-venue looks up entries of a rating: this is a verdict');
  const { system, signal } = cli.world;
  const count = typeof againstVenue === 'number' ? againstVenue : ENTRIES_USUAL;
  const fillsOf: MarketFills = (of) => readMarketFills(dataUrl, of, signal);
  return compareEntries(answer, count, { fillsOf, random: system.random });
}

function isOfWallet(answer: JsonObject): boolean {
  return asObject(asObject(answer.evidence)?.payload)?.kind === 'wallet_rating';
}

/** What no arithmetic shows: that the venue had this book, or listed these trades. */
function whatIsWord(
  answer: JsonObject,
  { book, againstVenue }: VerifyCommandOptions,
  lookedUp: readonly Check[],
): readonly string[] {
  if (isOfWallet(answer)) {
    if (againstVenue !== undefined) return [comparedSummary(lookedUp)];
    return ["That the wallet made these entries is the service's word: --against-venue looks some of them up."];
  }
  if (book !== undefined) return ['The book is also the one that was recorded.'];
  return ["That the venue had this book is the service's word: --book FILE compares a recording."];
}

function verdictLine(holds: boolean, { frame }: Cli): string {
  if (holds) return frame.paint('good', 'Verified.');
  return frame.paint('bad', 'It does not hold: do not rely on this answer.');
}

/**
 * The keys to check with, and where they are from. Nothing that the answer says decides whom to
 * ask.
 */
async function keysFor(answer: JsonObject, options: VerifyCommandOptions, cli: Cli) {
  const isNamed = options.url !== undefined || (cli.world.env[ENV.url] ?? '') !== '';
  const issuer = isNamed ? serviceUrl(options, cli.world) : null;
  const keys = (jwks: EvidenceJwks, says: string, holds: boolean | null) => ({
    jwks,
    issuer,
    check: { name: 'keys', holds, says },
  });
  if (options.keys !== undefined) {
    const jwks = parseJwks(JSON.stringify(await readJson(options.keys, cli)));
    if (jwks === null) throw new UsageError(`${options.keys} is no key set: save /.well-known/jwks.json of the issuer`);
    return keys(jwks, `of ${options.keys}`, null);
  }
  if (options.fetchKeys) {
    const { jwks } = await fetchIssuerKeys(serviceUrl(options, cli.world), cli);
    return keys(jwks, `of ${issuer}, asked now`, null);
  }
  const received = asObject(asObject(answer.evidence)?.payload)?.issuer;
  const owner = issuer ?? (typeof received === 'string' ? received : '');
  const stored = storedIssuerKeys(owner, cli);
  if (stored === null) return keys(NO_KEYS, `none are kept of ${plain(owner)}: --keys FILE, or --fetch-keys`, false);
  return keys(stored.jwks, `of ${plain(owner)}, as of ${moment(stored.fetchedAtMs)}`, null);
}
