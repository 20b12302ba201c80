import { dayOf } from '../model/status/day.js';
import { Island } from '../parts/island.js';
import type { PageProps, StatusNow } from '../parts/page-props.js';
import { StatusBoard } from '../parts/status/status-board.js';

/**
 * How the service is at the moment of the request, so that it can be read without script as well.
 */
export function Status({ status }: PageProps) {
  return (
    <>
      <h1>Status</h1>
      <p>
        What the service sees of itself. The same for programs: <a href="/status.json">status.json</a>. How often the
        book overtakes its verdicts is on the <a href="/scoreboard">scoreboard</a>.
      </p>
      {status === undefined ? null : <Island id="status" of={StatusBoard} props={boardOf(status)} />}
      <noscript>
        <p>This page is made at each request: load it again for newer figures.</p>
      </noscript>
    </>
  );
}

function boardOf({ report, history }: StatusNow) {
  return { report, day: dayOf(history, report) };
}
