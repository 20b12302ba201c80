import type { RequestHandler } from 'express';
import type { RestApi, VenueFaults } from './faults.js';

/** Lets one REST interface be slow, down or silent, before any of its routes is asked. */
export function restFaultGate(api: RestApi, faults: VenueFaults): RequestHandler {
  return (_request, response, next) => {
    const { down, hang, slowMs } = faults.restFaults(api);
    if (hang) return;
    const answer = () => {
      if (down) response.status(500).json({ error: 'internal server error' });
      else next();
    };
    if (slowMs === 0) answer();
    else setTimeout(answer, slowMs).unref();
  };
}
