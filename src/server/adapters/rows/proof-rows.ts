import type { SettlementProof } from '#domain/payment/proof';
import { count, flag, list, oneOf, text } from './row-fields.js';

const PROOF_KINDS = ['unproven', 'proven', 'refuted'] as const;

/** Returns the stored form of a proof. */
export function encodeProof(proof: SettlementProof | null): unknown {
  if (proof === null) return null;
  const kind = PROOF_KINDS.indexOf(proof.kind);
  switch (proof.kind) {
    case 'unproven':
      return [kind, proof.facilitator, proof.sinceMs];
    case 'proven':
      return [kind, proof.transaction, proof.blockNumber, proof.logIndex, proof.isFinal];
    case 'refuted':
      return [kind, proof.facilitator, proof.reason, proof.atMs];
  }
}

/** Returns a proof from its stored form, or throws the error that names the row. */
export function decodeProof(rowKey: string, raw: unknown): SettlementProof | null {
  if (raw === null) return null;
  const proof = list(rowKey, raw, 'proof');
  const kind = oneOf(rowKey, PROOF_KINDS, proof[0], 'proof.kind');
  const word = () => text(rowKey, proof[1], 'proof.facilitator');
  switch (kind) {
    case 'unproven':
      return { kind, facilitator: word(), sinceMs: count(rowKey, proof[2], 'proof.sinceMs') };
    case 'proven':
      return {
        kind,
        transaction: text(rowKey, proof[1], 'proof.transaction'),
        blockNumber: count(rowKey, proof[2], 'proof.blockNumber'),
        logIndex: count(rowKey, proof[3], 'proof.logIndex'),
        isFinal: flag(rowKey, proof[4], 'proof.isFinal'),
      };
    case 'refuted':
      return {
        kind,
        facilitator: word(),
        reason: text(rowKey, proof[2], 'proof.reason'),
        atMs: count(rowKey, proof[3], 'proof.atMs'),
      };
  }
}
