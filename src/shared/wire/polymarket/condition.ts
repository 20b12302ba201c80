import { z } from 'zod';
import { parseCondition } from '#domain/ids';

/** A condition id as the venue writes it, in either protocol's length; read into lower case. */
export const ConditionSchema = z.string().transform((text, context) => {
  const condition = parseCondition(text);
  if (condition !== null) return condition;
  context.addIssue({ code: 'custom', message: 'must be 0x and 62 or 64 hexadecimal digits' });
  return z.NEVER;
});
