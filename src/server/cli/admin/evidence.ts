import type { Command } from 'commander';
import { evidenceKeysIn, evidenceKeysPath, openEvidence } from '#compose/evidence';
import type { EvidenceKey, EvidenceKeys } from '#ports/evidence-keys';
import { UsageError } from '../exit.js';
import { subjectOf, withSubject } from '../subject.js';
import { type AdminOptions, isoTime, keysDirOf, printReport, withAdminOptions } from './run.js';

/**
 * Adds `evidence rotate|list|revoke`: the keys that sign what verdicts were computed from. A
 * running service follows.
 */
export function addEvidenceCommands(admin: Command): void {
  const evidence = admin.command('evidence').description('keys that sign the evidence of verdicts');
  withAdminOptions(evidence.command('list'))
    .description('list the keys, the newest first')
    .action((options: AdminOptions) => {
      const keys = keysThere(options);
      printReport(options, { json: { keys: keys.map(toJson) }, text: keys.map(toLine).join('\n') });
    });
  withAdminOptions(evidence.command('rotate'))
    .description('make a new key; what the former ones signed still holds')
    .action((options: AdminOptions) => {
      const key = openKeysThere(options).rotate();
      printReport(options, { json: { key: toJson(key) }, text: `signing with ${key.kid} from now on` });
    });
  withSubject(withAdminOptions(evidence.command('revoke')), {
    name: 'kid',
    about: 'id of the key, as list shows it',
    formerOption: 'kid',
  })
    .description('revoke a key that may have leaked: what it signed no longer counts')
    .action((kid: string | undefined, options: AdminOptions & { readonly kid?: string }) =>
      revoke(subjectOf('kid', kid, options.kid), options),
    );
}

/**
 * Throws a UsageError where there are none: the service made the first, and a folder that is
 * mistyped must not look like its.
 */
function keysThere(options: AdminOptions): readonly EvidenceKey[] {
  const keys = evidenceKeysIn(keysDirOf(options));
  if (keys.length > 0) return keys;
  const path = evidenceKeysPath(keysDirOf(options));
  throw new UsageError(`there are no keys at ${path}: give the KEYS_DIR of the service, or --keys-dir`);
}

function openKeysThere(options: AdminOptions): EvidenceKeys {
  keysThere(options);
  return openEvidence(keysDirOf(options));
}

function revoke(kid: string, options: AdminOptions): void {
  const keys = openKeysThere(options);
  const revoked = keys.revoke(kid);
  if (revoked === null) throw new UsageError(`there is no key ${kid}: preflightctl admin evidence list shows all`);
  const text = `${revoked.kid} is revoked; signing with ${keys.current().kid}`;
  printReport(options, { json: { revoked: toJson(revoked), current: toJson(keys.current()) }, text });
}

function toJson({ kid, state, createdAtMs, revokedAtMs }: EvidenceKey) {
  const revoked_at = revokedAtMs === null ? null : isoTime(revokedAtMs);
  return { kid, state, created_at: isoTime(createdAtMs), revoked_at };
}

function toLine({ kid, state, createdAtMs }: EvidenceKey): string {
  return `${kid}  ${state}  ${isoTime(createdAtMs)}`;
}
