import { useSignal } from '@preact/signals';
import type { Leaderboard, RedList } from '#client/answers';
import { momentText } from '../../model/texts.js';
import { listAnswer } from '../../model/wallet/answer-kind.js';
import { Buy } from '../pay/buy.js';
import { WalletTable } from './wallet-table.js';

export interface WalletListProps {
  readonly tool: 'leaderboard' | 'red_list';
  readonly title: string;
  /** What is shown until a live list was bought: the documented example. */
  readonly example: Leaderboard | RedList;
}

/** A list as it is sold: the example, and in its place the live one once it was paid for. */
export function WalletList({ tool, title, example }: WalletListProps) {
  const list = useSignal<Leaderboard | RedList>(example);
  const isUnreadable = useSignal(false);
  const { value: shown } = list;
  return (
    <section aria-labelledby={`${tool}-title`} data-list={tool} data-live={shown.sandbox !== true}>
      <h2 id={`${tool}-title`}>{title}</h2>
      <p>
        {shown.sandbox === true ? (
          <span class="tag">Example, invented wallets</span>
        ) : (
          <span class="tag live">Live</span>
        )}{' '}
        <span class="faint">
          Computed {momentText(shown.computed_at)}, from data through {momentText(shown.data_through)}; valid until{' '}
          {momentText(shown.next_refresh_at)}.
        </span>
      </p>
      {isUnreadable.value && (
        <p class="note" data-tone="veto" role="alert">
          What came is not a list of this service: it is not shown, and the one below is the one from before.
        </p>
      )}
      <div class="card">
        {shown.wallets.length === 0 ? (
          <p class="empty">No wallet meets the rules now, and an empty list is a legal answer. {shown.note}</p>
        ) : (
          <WalletTable wallets={shown.wallets} caption={title} />
        )}
      </div>
      <p class="faint">
        {shown.universe}. <Placebo count={shown.placebo_copy_count} />
      </p>
      <Buy
        wanted={{ tool, args: {} }}
        what={`the live ${title.toLowerCase()}`}
        onAnswer={({ body }) => {
          const found = listAnswer(body);
          isUnreadable.value = found === null;
          if (found !== null) list.value = found;
        }}
      />
    </section>
  );
}

function Placebo({ count }: { readonly count: number }) {
  return (
    <span data-figure="placebo">
      The same rules give {count} COPY when outcomes are drawn by chance: up to that many here may be luck.
    </span>
  );
}
