import type { Request, RequestHandler, Response } from 'express';
import { answerAsEdge } from './edge.js';
import type { RestApi, VenueFaults } from './faults.js';
import type { Mangler } from './mangle.js';
import { withNulls } from './null-fields.js';

/**
 * Lets one REST interface be slow, down, silent or behind an edge, before any of its routes is
 * asked, and spoils what it answers.
 */
export function restFaultGate(api: RestApi, faults: VenueFaults): RequestHandler {
  return (request, response, next) => {
    const { down, hang, edge, slowMs, mangler } = faults.restFaults(api);
    if (hang) return;
    if (mangler !== null) spoil(request, response, mangler);
    if (faults.nullsNow()) change(response, withNulls);
    const answer = () => {
      if (down) response.status(500).json({ error: 'internal server error' });
      else if (edge || faults.mishapNow()) answerAsEdge(response, faults.dice);
      else next();
    };
    if (slowMs === 0) answer();
    else setTimeout(answer, slowMs).unref();
  };
}

function spoil({ path }: Request, response: Response, mangler: Mangler): void {
  const send = response.json.bind(response);
  response.json = (body: unknown) => {
    const mangled = mangler(path, body);
    if ('body' in mangled) return send(mangled.body);
    return send.call(response.status(mangled.status), { error: 'spoilt' });
  };
}

function change(response: Response, inBody: (body: unknown) => unknown): void {
  const send = response.json.bind(response);
  response.json = (body: unknown) => send(inBody(body));
}
