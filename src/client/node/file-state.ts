import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject } from '#domain/json';
import type { Clock } from '#system/clock';
import type { ClientState, KeptAnswers, PayeePins } from '../state/ports.js';
import { clientSystem } from '../system.js';
import { createWhole, makePrivateFolder, replaceWhole } from './durable.js';
import { fileJournal } from './file-journal.js';
import { fileLedger } from './file-ledger.js';
import { stateHome } from './home.js';

/** Answers that are kept; the oldest go first. */
const STORED_ANSWERS_MAX = 200;
const ADDRESS = /^0x[0-9a-f]{40}$/;

/**
 * Returns state that outlives the process: a folder for each payer, so that all programs of one
 * wallet share one budget. Every call fails, and so nothing is signed, while the folder cannot be
 * written or is open to others.
 */
export function fileState(home: string = stateHome(), clock: Pick<Clock, 'nowMs'> = clientSystem.clock): ClientState {
  const folderOf = (payer: string) => {
    if (!ADDRESS.test(payer)) throw new Error(`${payer} is not an address`);
    makePrivateFolder(home);
    return join(home, payer);
  };
  return {
    ledger: fileLedger(folderOf, clock),
    journal: fileJournal(folderOf, clock),
    pins: filePins(folderOf),
    kept: fileAnswers(() => join(home, 'answers')),
  };
}

function filePins(folderOf: (payer: string) => string): PayeePins {
  return {
    async pin(payer, origin, payee) {
      const folder = join(folderOf(payer), 'payees');
      makePrivateFolder(folder);
      const path = join(folder, encodeURIComponent(origin));
      return createWhole(path, payee) ? payee : readFileSync(path, 'utf8');
    },
  };
}

function fileAnswers(folderOf: () => string): KeptAnswers {
  const read = (path: string) => parseObject(existsSync(path) ? readFileSync(path, 'utf8') : '');
  return {
    async find(request, nowMs) {
      const { until_ms: untilMs, body } = read(join(folderOf(), `${request}.json`)) ?? {};
      return typeof untilMs === 'number' && nowMs < untilMs && typeof body === 'string' ? body : null;
    },
    async keep(request, body, untilMs) {
      const folder = folderOf();
      makePrivateFolder(folder);
      replaceWhole(join(folder, `${request}.json`), JSON.stringify({ until_ms: untilMs, body }));
      const paths = readdirSync(folder).map((name) => join(folder, name));
      if (paths.length <= STORED_ANSWERS_MAX) return;
      const ends = paths.map((path) => ({ path, untilMs: Number(read(path)?.until_ms ?? 0) }));
      ends.sort((a, b) => a.untilMs - b.untilMs);
      for (const { path } of ends.slice(0, -STORED_ANSWERS_MAX)) rmSync(path, { force: true });
    },
  };
}
