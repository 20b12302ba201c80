import { type GuardState, fileGuardState as realState } from '#client/guard/state/guard-state';
import type { PlantedFault } from './trader.js';

/** The state of a guard that claims too late, or takes what is not known for not sent. */
export function fileGuardState(...given: Parameters<typeof realState>): GuardState {
  const state = realState(...given);
  const fault = process.env.PLANTED_FAULT as PlantedFault;
  const late = new Map<string, () => void>();
  return {
    ...state,
    claims: {
      ...state.claims,
      claim(...claim) {
        if (fault !== 'claims_after_post') return state.claims.claim(...claim);
        late.set(claim[0], () => void state.claims.claim(...claim));
        return { kind: 'claimed' };
      },
    },
    log: {
      append(line) {
        const isUnknown = line.kind === 'ended' && line.outcome === 'unknown';
        if (line.kind === 'ended') late.get(line.id)?.();
        if (isUnknown && fault === 'gives_back_unknown') state.claims.lower(line.id, 0n);
        const isHidden = isUnknown && fault === 'writes_unknown_as_not_sent';
        state.log.append(isHidden ? { ...line, outcome: 'not_sent' } : line);
      },
    },
  };
}
