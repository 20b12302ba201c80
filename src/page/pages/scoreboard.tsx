import type { Scoreboard, ScoreboardRow } from '#api/scoreboard';
import { daysOf, nameOf, oddsOf, wholeRows } from '../model/scoreboard/odds.js';
import { partText } from '../model/texts.js';
import type { PageProps } from '../parts/page-props.js';
import { FollowedBoards } from '../parts/scoreboard/followed-boards.js';
import { OddsDays, OddsPlot } from '../parts/scoreboard/odds-plot.js';

/** What became of verdicts, at the moment of the request; it needs no script. */
export function ScoreboardPage({ scoreboard }: PageProps) {
  return (
    <>
      <h1>How often a verdict is overtaken</h1>
      <p>
        A verdict is about the book of its moment; your order arrives later. The service judges its own orders on books
        drawn by chance and prices each again some seconds later. What copying wallets came to is{' '}
        <a href="#copied">below</a>. The same for programs: <a href="/scoreboard.json">scoreboard.json</a>.
      </p>
      {scoreboard === undefined ? null : <Counts board={scoreboard} />}
    </>
  );
}

function Counts({ board }: { readonly board: Scoreboard }) {
  const rows = wholeRows(board);
  return (
    <>
      <p>
        {board.from} to {board.to}: {board.draws.toLocaleString('en-US')} draws,{' '}
        {board.draws_skipped.toLocaleString('en-US')} skipped and {board.orders_missed.toLocaleString('en-US')} orders
        missed because the service was late.
        {board.is_on ? null : ' The operator of this service has turned sampling off.'}
      </p>
      {rows.length === 0 ? <p class="empty">Nothing has been counted yet.</p> : <Pictures board={board} rows={rows} />}
      <h2>Method</h2>
      <p>{board.method}</p>
      <p>
        Seed of the last day: <code>{board.seed}</code>. Intervals are 95%, with markets as clusters where they show a
        spread.
      </p>
      {board.follow_up === undefined ? null : <FollowedBoards followUp={board.follow_up} />}
    </>
  );
}

function Pictures({ board, rows }: { readonly board: Scoreboard; readonly rows: readonly ScoreboardRow[] }) {
  const days = daysOf(board);
  return (
    <>
      <h2>At least 3 cents per share worse</h2>
      <OddsPlot {...oddsOf(rows)} />
      {days.length === 0 ? null : (
        <>
          <h2>OK, 10 s later, day by day</h2>
          <OddsDays days={days} />
        </>
      )}
      <h2>All counts</h2>
      <p>
        p95: 95 of 100 orders were at most so much worse, rounded up to 0.1 c, above 10 c to whole cents, but not above
        the worst.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to get there. */}
      <section class="scroll odds-table" aria-label="All counts" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {['Order', 'n', 'Became VETO', '1 c worse', '3 c worse', '10 c worse', 'Book gone', 'p95', 'Worst'].map(
                (name) => (
                  <th scope="col">{name}</th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                <th scope="row">{nameOf(row)}</th>
                <td class="number">{row.n.toLocaleString('en-US')}</td>
                {[row.became_veto, row.worse_1c, row.worse_3c, row.worse_10c, row.book_gone].map((found) => (
                  <td class="number">{found === null ? '' : partText(found.rate)}</td>
                ))}
                <td class="number">{row.p95_cents} c</td>
                <td class="number">{row.worst_cents} c</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
