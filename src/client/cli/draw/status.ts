import { asObject, type JsonObject } from '#domain/json';
import { plain } from '../plain-text.js';
import { figure } from './figures.js';
import { type Frame, line } from './frame.js';

/** More rules and components than a service has. */
const LISTED_MAX = 30;

/**
 * Draws /status.json: whether the service is degraded and by what, and how fresh its books and
 * ratings are.
 */
export function drawStatus(report: unknown, frame: Frame): readonly string[] {
  const received = asObject(report) ?? {};
  const [books, ratings] = [asObject(received.books) ?? {}, asObject(received.ratings) ?? {}];
  const rules = Array.isArray(received.degraded_by) ? received.degraded_by.slice(0, LISTED_MAX).map(plain) : [];
  const isOk = received.status === 'ok';
  return [
    line(frame, plain(received.status), isOk ? 'good' : 'care'),
    ...rules.map((rule) => line(frame, `- ${rule}`)),
    line(
      frame,
      `books: ${figure(books.held, 0)} held, median age ${figure(books.median_age_seconds, 1)} s, ` +
        `${figure(books.sockets_live, 0)} of ${figure(books.sockets, 0)} sockets live`,
    ),
    line(
      frame,
      `ratings: through ${plain(ratings.data_through ?? 'nothing yet')}, next ${plain(ratings.next_refresh_at)}`,
    ),
    ...componentLines(asObject(received.components) ?? {}, frame),
  ];
}

function componentLines(components: JsonObject, frame: Frame): readonly string[] {
  const down = Object.entries(components).filter(([, component]) => asObject(component)?.ok === false);
  return down
    .slice(0, LISTED_MAX)
    .map(([name, component]) => line(frame, `${plain(name)}: ${plain(asObject(component)?.error)}`, 'care'));
}
