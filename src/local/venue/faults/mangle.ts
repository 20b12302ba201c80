import { chance, seededRandom, seedFor } from '../market/seeded-random.js';

type Json = Record<string, unknown>;

/**
 * Ways in which an answer is spoilt, and of what a share is taken: of its rows, or of the answers
 * alone.
 */
export const MANGLINGS = {
  /** The answer is an empty list. */
  empty: 'answer',
  /** Every row is another thing. */
  garbage: 'answer',
  /** Rows are left out. */
  drop_rows: 'rows',
  /** Only the older half of the rows is there, as in a copy from before the others came. */
  stale: 'answer',
  /** Only the first half of the rows is there. */
  truncate: 'answer',
  /** Rows have lost a field. */
  drop_field: 'rows',
  /** A field of rows has another name. */
  rename_field: 'rows',
  /** A field of rows has another type. */
  wrong_type: 'rows',
  /** A number of rows is a thousand times what it was. */
  times_thousand: 'rows',
  /** Rows are of another wallet. */
  other_wallet: 'rows',
  /** A list of two, written as JSON text or not, is the other way round. */
  swap_pair: 'rows',
  /** A list of two says nothing clear. */
  unclear_pair: 'rows',
  /** The CLOB's winner flags stand at the other token. */
  swap_winner: 'rows',
  /** The answer is status 500. */
  refuse: 'answer',
  /** The answer is status 404. */
  absent: 'answer',
} as const;

/** One way in which answers of a REST interface are spoilt, as a test commands it. */
export interface Mangling {
  readonly how: keyof typeof MANGLINGS;
  /**
   * Which paths: those that begin with this, without the interface's own prefix; all, if absent.
   */
  readonly path?: string;
  /**
   * Which field of the rows; the names of both versions of the Data API may be given, with a comma.
   */
  readonly field?: string;
  /** Only rows of these markets. */
  readonly conditions?: readonly string[];
  /** Which share of the answers is spoilt, or of all rows; 1 if absent. */
  readonly share?: number;
  readonly seed?: number;
}

const OTHER_WALLET = `0x${'0b'.repeat(20)}`;
const WALLET_FIELDS = ['proxyWallet', 'proxy_wallet'];
const CONDITION_FIELDS = ['conditionId', 'condition_id'];

/** Returns the body of an answer as it goes out, or the status that goes out instead. */
export type Mangler = (path: string, body: unknown) => { readonly body: unknown } | { readonly status: number };

/** Returns what spoils answers, the same ones in each run with the same seed and order. */
export function manglerOf(commands: readonly Mangling[]): Mangler {
  const dice = seededRandom(seedFor(commands[0]?.seed ?? 1, 'mangle'));

  function spoil(body: unknown, command: Mangling): unknown {
    if (Array.isArray(body)) return spoilRows(body, command);
    if (typeof body !== 'object' || body === null) return body;
    const { data } = body as Json;
    if (Array.isArray(data)) return { ...body, data: spoilRows(data, command) };
    return spoilRows([body], command)[0] ?? {};
  }

  function spoilRows(rows: readonly unknown[], { how, field = '', conditions, share = 1 }: Mangling) {
    if (how === 'empty') return [];
    if (how === 'garbage') return rows.map(() => ({ weather: 'sunny' }));
    if (how === 'truncate') return rows.slice(0, Math.ceil(rows.length / 2));
    if (how === 'stale') return rows.slice(Math.floor(rows.length / 2));
    const isMeant = (row: unknown) => isOf(row, conditions) && (share === 1 || chance(dice, share));
    const fields = field.split(',');
    return rows.flatMap((row) => {
      if (typeof row !== 'object' || row === null || !isMeant(row)) return [row];
      return how === 'drop_rows' ? [] : [Object.fromEntries(spoiltFields(row as Json, how, fields))];
    });
  }

  return (path, body) => {
    let spoilt = body;
    for (const command of commands) {
      const { how, share = 1 } = command;
      if (!path.startsWith(command.path ?? '')) continue;
      if (MANGLINGS[how] === 'answer' && !chance(dice, share)) continue;
      if (how === 'refuse' || how === 'absent') return { status: how === 'refuse' ? 500 : 404 };
      spoilt = spoil(spoilt, command);
    }
    return { body: spoilt };
  };
}

function isOf(row: unknown, conditions: readonly string[] | undefined): boolean {
  return conditions === undefined || CONDITION_FIELDS.some((name) => conditions.includes(String((row as Json)[name])));
}

function spoiltFields(row: Json, how: Mangling['how'], fields: readonly string[]): (readonly [string, unknown])[] {
  return Object.entries(row).flatMap(([name, value]): (readonly [string, unknown])[] => {
    if (how === 'swap_winner' && name === 'tokens') return [[name, withOtherWinner(value as readonly Json[])]];
    if (how === 'other_wallet') return [[name, WALLET_FIELDS.includes(name) ? OTHER_WALLET : value]];
    if (!fields.includes(name)) return [[name, value]];
    switch (how) {
      case 'drop_field':
        return [];
      case 'rename_field':
        return [[`${name}_new`, value]];
      case 'wrong_type':
        return [[name, typeof value === 'string' ? { text: value } : `${JSON.stringify(value)}!`]];
      case 'times_thousand':
        return [[name, typeof value === 'number' ? value * 1_000 : value]];
      case 'swap_pair':
        return [[name, swapped(value)]];
      case 'unclear_pair':
        return [[name, '["0.5", "0.5"]']];
      default:
        return [[name, value]];
    }
  });
}

function withOtherWinner(tokens: readonly Json[]): readonly Json[] {
  return tokens.map((token, i) => ({ ...token, winner: tokens[tokens.length - 1 - i]!.winner }));
}

function swapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.toReversed();
  return typeof value === 'string' ? JSON.stringify((JSON.parse(value) as unknown[]).toReversed()) : value;
}
