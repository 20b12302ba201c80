import type { FollowUp } from '#api/follow-up';
import { BOARD_HEADS, boardCells, profitText, returnsOf, returnText } from '../../model/scoreboard/follow-up.js';
import { countText } from '../../model/texts.js';
import { ReturnPlot } from './return-plot.js';

/** What copying the COPY wallets of each board came to. */
export function FollowedBoards({ followUp }: { readonly followUp: FollowUp }) {
  const rows = boardCells(followUp);
  return (
    <>
      <h2 id="copied">What copying came to</h2>
      <p>
        Each night's COPY wallets are kept as they are, and their first entries of the next {followUp.days} days are
        counted at the copier's price.
      </p>
      {rows.length === 0 ? (
        <p class="empty">No board is old enough yet. The first counts come the night after a board is made.</p>
      ) : (
        <Counted followUp={followUp} />
      )}
      <h3>How it is counted</h3>
      <p>{followUp.method}</p>
    </>
  );
}

function Counted({ followUp }: { readonly followUp: FollowUp }) {
  const { total } = followUp;
  const returns = returnsOf(followUp);
  return (
    <>
      <p>
        Together, each entry once: {countText(total.boards, 'board')}, {countText(total.wallets, 'wallet')},{' '}
        {countText(total.entries, 'entry', 'entries')}, {total.resolved.toLocaleString('en-US')} resolved.{' '}
        {total.mean_return === null
          ? 'Too few have resolved to show a return.'
          : `Return per dollar: ${returnText(total.mean_return, total.ci95)}; ${profitText(total)} wallets are in profit.`}
      </p>
      {returns.marks.length === 0 ? null : <ReturnPlot {...returns} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to get there. */}
      <section class="scroll odds-table" aria-label="Boards" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {['Board', ...BOARD_HEADS].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {boardCells(followUp).map(({ day, cells }) => (
              <tr>
                <th scope="row">{day}</th>
                {cells.map((cell) => (
                  <td class="number">{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
