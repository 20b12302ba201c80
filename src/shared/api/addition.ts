import { z } from 'zod';

/** A switch of a query or a body: `true` or 1 asks for more, `false` is as if it were left out. */
export const addition = (name: string) =>
  z
    .union([z.boolean(), z.literal(1), z.enum(['1', 'true', 'false'])], {
      error: `${name} must be true or 1, or left out`,
    })
    .transform((given) => (given === false || given === 'false' ? undefined : (1 as const)))
    .optional();
