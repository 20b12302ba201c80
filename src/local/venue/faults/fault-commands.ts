import { FAULT_SWITCHES, REST_APIS, type RestApi, type VenueFaults } from './faults.js';
import { MANGLINGS, type Mangling } from './mangle.js';

/**
 * The faults as JSON, for tests that see the venue from outside. Keys are the names of VenueFaults:
 * switches take true or false; freezeToken, unfreezeToken, ghostBook, crossBook and healBook take a
 * token id or a list of them (ghostBook and crossBook also {"token": …, "place":
 * "ws"|"rest"|"both"}); dropSockets and clear take true; resolveMarket takes a slug; restDown,
 * restHang, restEdge and restSlowMs take {"gamma"|"clob"|"data": value}, and so does mangle, with a list of
 * {"how": …, "path": …, "field": …, "conditions": […], "share": …, "seed": …} (see mangle.ts);
 * pageRowsMax takes a number, and mishaps a share from 0 to 1. `clear` is done first, whatever the order of the keys.
 */
export type FaultCommand = Readonly<Record<string, unknown>>;

type Apply = (faults: VenueFaults, value: unknown) => void;

const COMMANDS: ReadonlyMap<string, Apply> = new Map<string, Apply>([
  ...FAULT_SWITCHES.map((key): [string, Apply] => [key, switchOf(key)]),
  ['freezeToken', (faults, value) => each(value, (token) => faults.freezeToken(token))],
  ['unfreezeToken', (faults, value) => each(value, (token) => faults.freezeToken(token, false))],
  ['ghostBook', (faults, value) => each(value, (token, place) => faults.ghostBook(token, place))],
  ['crossBook', (faults, value) => each(value, (token, place) => faults.crossBook(token, place))],
  ['healBook', (faults, value) => each(value, (token) => faults.healBook(token))],
  ['dropSockets', (faults, value) => (flag('dropSockets', value) ? faults.dropSockets() : undefined)],
  ['resolveMarket', (faults, value) => faults.resolveMarket(String(value))],
  ['restDown', (faults, value) => perApi(value, (api, down) => faults.restDown(api, flag('restDown', down)))],
  ['restHang', (faults, value) => perApi(value, (api, hang) => faults.restHang(api, flag('restHang', hang)))],
  ['restEdge', (faults, value) => perApi(value, (api, edge) => faults.restEdge(api, flag('restEdge', edge)))],
  ['mangle', (faults, value) => perApi(value, (api, ways) => faults.mangle(api, manglingsOf(ways)))],
  [
    'pageRowsMax',
    (faults, value) => {
      faults.pageRowsMax = Number(value);
    },
  ],
  [
    'mishaps',
    (faults, value) => {
      faults.mishaps = share(value);
    },
  ],
  ['restSlowMs', (faults, value) => perApi(value, (api, ms) => faults.restSlowMs(api, delayMs(ms)))],
]);

/** Longest wait that restSlowMs accepts. */
const SLOW_MS_MAX = 600_000;

/**
 * Puts the command into force, key by key. Throws an Error that names what is wrong: an unknown key
 * before anything is done, a bad value after the keys before it.
 */
export function applyFaultCommand(faults: VenueFaults, command: FaultCommand): void {
  const { clear, ...rest } = command;
  const unknown = Object.keys(rest).filter((key) => !COMMANDS.has(key));
  if (unknown.length > 0) {
    throw new Error(`unknown fault ${unknown.join(', ')}; known are clear, ${[...COMMANDS.keys()].join(', ')}`);
  }
  if (clear === true) faults.clear();
  for (const [key, value] of Object.entries(rest)) COMMANDS.get(key)?.(faults, value);
}

function switchOf(key: (typeof FAULT_SWITCHES)[number]): Apply {
  return (faults, value) => {
    faults[key] = flag(key, value);
  };
}

function flag(key: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Error(`${key} takes true or false`);
  return value;
}

function manglingsOf(value: unknown): readonly Mangling[] {
  if (!Array.isArray(value)) throw new Error('mangle takes lists of ways');
  for (const { how } of value as Mangling[]) {
    if (!(how in MANGLINGS)) throw new Error(`mangle knows ${Object.keys(MANGLINGS).join(', ')}`);
  }
  return value as Mangling[];
}

function share(value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) throw new Error('mishaps takes a share from 0 to 1');
  return value;
}

function delayMs(value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= SLOW_MS_MAX)) {
    throw new Error(`restSlowMs takes milliseconds from 0 to ${SLOW_MS_MAX}`);
  }
  return value;
}

function each(value: unknown, act: (token: string, place?: 'ws' | 'rest' | 'both') => void): void {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item === 'string') act(item);
    else if (isPlaced(item)) act(item.token, item.place);
    else throw new Error('a token id is a string, or {"token": …, "place": "ws", "rest" or "both"}');
  }
}

function isPlaced(item: unknown): item is { token: string; place: 'ws' | 'rest' | 'both' } {
  if (typeof item !== 'object' || item === null) return false;
  const { token, place } = item as Record<string, unknown>;
  return typeof token === 'string' && ['ws', 'rest', 'both'].includes(place as string);
}

function perApi(value: unknown, act: (api: RestApi, value: unknown) => void): void {
  for (const [api, setting] of Object.entries(value as Record<string, unknown>)) {
    if (!REST_APIS.includes(api as RestApi))
      throw new Error(`no REST interface ${api}; there are ${REST_APIS.join(', ')}`);
    act(api as RestApi, setting);
  }
}
