import { z } from 'zod';
import { SCOREBOARD_PATH } from '#api/scoreboard';
import { Problem } from '#domain/errors';
import type { DoorRequest } from '#doors/request';
import type { Answer, Route } from '#doors/route';
import type { ScoreView } from '#services/scoreboard/score-view';
import { codedText } from './coded.js';

/** Counts are written once a minute. */
const CACHE_S = 30;

const DaySchema = z.iso.date();

/** GET /scoreboard.json: the last 30 days, or with `day` a single one. */
export function scoreboardRoute(view: Pick<ScoreView, 'text' | 'textOf'>): Route {
  const whole = codedText(() => view.text(), CACHE_S);
  const GET = async (req: DoorRequest): Promise<Answer> => {
    const { day } = req.query;
    return day === undefined ? whole(req) : { status: 200, body: await textOf(view, day), headers: [] };
  };
  return { path: SCOREBOARD_PATH, methods: { GET } };
}

async function textOf(view: Pick<ScoreView, 'textOf'>, asked: unknown): Promise<string> {
  const day = DaySchema.safeParse(asked);
  if (!day.success) throw new Problem('invalid_parameter', 'day must be a date like 2026-11-27');
  const text = await view.textOf(day.data);
  if (text === null) throw new Problem('not_found', `nothing was counted on ${day.data}, or it is no longer kept`);
  return text;
}
