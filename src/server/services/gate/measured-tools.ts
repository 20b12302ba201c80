import { WrittenAnswer } from '#api/written-answer';
import { Problem } from '#domain/errors';
import type { Meter } from '#ports/meter';
import type { Stopwatch } from '#system/stopwatch';
import { FreeAnswer, type GateTool } from './tool.js';

/** A list has no verdict of its own. */
const LISTED = 'LISTED';

/**
 * Returns the same tools, with each of their runs told to the meter: how it ended, and what it
 * took.
 */
export function measuredTools<Name extends string>(
  tools: Readonly<Record<Name, GateTool>>,
  meter: Pick<Meter, 'verdictMade'>,
  stopwatch: Stopwatch,
): Readonly<Record<Name, GateTool>> {
  const measured = (name: Name, tool: GateTool): GateTool => ({
    ...tool,
    prepare(raw) {
      const prepared = tool.prepare(raw);
      if (prepared.kind === 'invalid') return prepared;
      const run = async (caller: string) => {
        const startedMs = stopwatch.elapsedMs();
        const count = (outcome: string) =>
          meter.verdictMade({ tool: name, outcome, ms: stopwatch.elapsedMs() - startedMs });
        try {
          const made = await prepared.run(caller);
          count(verdictOf(made));
          return made;
        } catch (error) {
          count(error instanceof Problem ? error.code : 'internal_error');
          throw error;
        }
      };
      return { ...prepared, run };
    },
  });
  const entries = Object.entries<GateTool>(tools).map(([name, tool]) => [name, measured(name as Name, tool)]);
  return Object.fromEntries(entries);
}

function verdictOf(made: object | FreeAnswer): string {
  if (made instanceof WrittenAnswer) return made.verdict ?? LISTED;
  const body = made instanceof FreeAnswer ? made.body : made;
  return (body as { readonly verdict?: string }).verdict ?? LISTED;
}
