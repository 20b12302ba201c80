import type { ServerResponse } from 'node:http';
import type { Parsed } from '#api/arguments';
import { Problem } from '#domain/errors';
import type { JsonObject } from '#domain/json';
import type { DoorRequest, ReadBody } from '#doors/request';

/** How a JSON body is read that holds all that a POST takes. */
export interface PostedBody {
  readonly readBody: ReadBody;
  /** What is said to who sends parameters in the query. */
  readonly ifInQuery: string;
  /** What is said to who sends no body. */
  readonly ifAbsent: string;
}

/** The same, with how its parameters are parsed. */
export interface PostedForm<Args> extends PostedBody {
  readonly parse: (raw: unknown) => Parsed<Args>;
}

/** Reads the body of a POST. Rejects with the Problem that its sender is answered with. */
export async function readPostedJson(req: DoorRequest, res: ServerResponse, form: PostedBody): Promise<JsonObject> {
  if (Object.keys(req.query).length > 0) throw new Problem('invalid_parameter', form.ifInQuery);
  const body = await form.readBody(req, res);
  if (body.kind === 'refused') throw body.problem;
  if (body.kind === 'absent') throw new Problem('invalid_parameter', form.ifAbsent);
  return body.value;
}

/** Reads the parameters of a POST. Rejects with the Problem that its sender is answered with. */
export async function readPosted<Args>(req: DoorRequest, res: ServerResponse, form: PostedForm<Args>): Promise<Args> {
  const parsed = form.parse(await readPostedJson(req, res, form));
  if (parsed.kind === 'invalid') throw new Problem('invalid_parameter', parsed.message);
  return parsed.args;
}
