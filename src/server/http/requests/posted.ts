import type { ServerResponse } from 'node:http';
import type { Parsed } from '#api/arguments';
import { Problem } from '#domain/errors';
import type { DoorRequest, ReadBody } from '#doors/request';

/** What a POST takes in its JSON body and nowhere else. */
export interface PostedForm<Args> {
  readonly readBody: ReadBody;
  readonly parse: (raw: unknown) => Parsed<Args>;
  /** What is said to who sends parameters in the query. */
  readonly ifInQuery: string;
  /** What is said to who sends no body. */
  readonly ifAbsent: string;
}

/** Reads the parameters of a POST. Rejects with the Problem that its sender is answered with. */
export async function readPosted<Args>(req: DoorRequest, res: ServerResponse, form: PostedForm<Args>): Promise<Args> {
  if (Object.keys(req.query).length > 0) throw new Problem('invalid_parameter', form.ifInQuery);
  const body = await form.readBody(req, res);
  if (body.kind === 'refused') throw body.problem;
  if (body.kind === 'absent') throw new Problem('invalid_parameter', form.ifAbsent);
  const parsed = form.parse(body.value);
  if (parsed.kind === 'invalid') throw new Problem('invalid_parameter', parsed.message);
  return parsed.args;
}
