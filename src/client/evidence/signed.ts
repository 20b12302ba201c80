import { shown } from '../text.js';
import { type Check, canonical, fault, good } from './check.js';
import { checkJws, type EvidenceJwks } from './jws.js';
import { OWN_ENGINE } from './own-engine.js';

export interface VerifyOptions {
  /** Key set of the issuer, from its /.well-known/jwks.json. */
  readonly jwks: EvidenceJwks;
  /** The service that the answer has to be of; without it any is fine whose keys these are. */
  readonly issuer?: string;
  /** What this verifier computes with, if that is not `OWN_ENGINE`. */
  readonly engine?: typeof OWN_ENGINE;
}

/** What all evidence has, whatever it is of. */
export interface SignedEvidence {
  readonly payload: {
    readonly issuer: string;
    readonly engine: { readonly version: string; readonly source_sha256: string };
  };
  readonly jws: string;
}

/** `isBad`: whoever signed, it was not this. */
export interface CheckedSignature {
  readonly isBad: boolean;
  readonly checks: readonly Check[];
}

/** Checks who signed an answer's evidence. */
export async function checkSignature(
  { payload, jws, ...rest }: SignedEvidence,
  { jwks, issuer }: VerifyOptions,
): Promise<CheckedSignature> {
  const is = (...checks: Check[]): CheckedSignature => ({ isBad: false, checks });
  const bad = (...checks: Check[]): CheckedSignature => ({ isBad: true, checks });
  if (Object.keys(rest).length > 0) return bad(fault('signature', 'evidence has members that are not signed'));
  const text = canonical(payload);
  const found = text === null ? ({ kind: 'bad', why: 'it is no JSON' } as const) : await checkJws(jws, text, jwks);
  const isIssuer = issuer === undefined || payload.issuer === issuer;
  const issuerText = `${shown(payload.issuer)}${isIssuer ? '' : `, not ${issuer}`}`;
  switch (found.kind) {
    case 'good':
      return is(good('signature', 'made over this payload'), {
        name: 'issuer',
        holds: isIssuer,
        says: `${issuerText}, key ${found.kid}`,
      });
    case 'revoked': {
      const since = found.revokedAt === null ? '' : ` since ${shown(found.revokedAt)}`;
      const says = `${issuerText}: key ${shown(found.kid)} is revoked${since}, so anyone may have made this`;
      return is(good('signature', 'made over this payload'), fault('issuer', says));
    }
    case 'unknown_key':
      return is(
        fault('signature', 'it cannot be checked without its key'),
        fault('issuer', `key ${shown(found.kid)} is not among the keys of ${issuerText}`),
      );
    case 'bad':
      return bad(fault('signature', found.why), fault('issuer', 'not proven'));
  }
}

/** Checks what the evidence was computed with. */
export function checkEngine(
  { engine: received }: SignedEvidence['payload'],
  { engine = OWN_ENGINE }: VerifyOptions,
): Check {
  const name = 'engine';
  const says = `${shown(received?.version)}, source ${shown(received?.source_sha256).slice(0, 12)}…`;
  if (engine === null) return { name, holds: null, says };
  if (engine.sourceSha256 === received?.source_sha256) return good(name, `${says}, the same as here`);
  // Another build may compute the same: what counts is that everything below is equal.
  return { name, holds: null, says: `${says}, not the same as here (${engine.version})` };
}
