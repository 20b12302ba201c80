import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { WalletProfile } from '#client/answers';
import type { EntryEquity } from '../../model/wallet/entry-equity.js';
import { MonthEquity } from './month-equity.js';

/** What came of adding the entries up. */
type Drawn =
  | { readonly kind: 'adding' | 'by_month' }
  | {
      readonly kind: 'by_entry';
      readonly Plot: ComponentType<{ readonly equity: EntryEquity }>;
      readonly equity: EntryEquity;
    };

/**
 * What a copier made: entry by entry where the answer has its evidence, else month by month. What
 * adds the entries up is loaded when there are some.
 */
export function EquityCard({ profile }: { readonly profile: WalletProfile }) {
  const payload = profile.evidence?.payload;
  const drawn = useSignal<Drawn>({ kind: hasEntries(payload) ? 'adding' : 'by_month' });
  useEffect(() => {
    if (!hasEntries(payload)) {
      drawn.value = { kind: 'by_month' };
      return;
    }
    drawn.value = { kind: 'adding' };
    let isShown = true;
    void addUp(payload).then((found) => {
      if (isShown) drawn.value = found;
    });
    return () => {
      isShown = false;
    };
  }, [payload]);
  const { value } = drawn;
  return (
    <section class="card" aria-labelledby="equity-title" data-equity={value.kind}>
      <h3 id="equity-title">Copier's profit, {value.kind === 'by_month' ? 'month by month' : 'entry by entry'}</h3>
      {value.kind === 'adding' && <p class="plot equity empty">Adding the entries up…</p>}
      {value.kind === 'by_entry' && <value.Plot equity={value.equity} />}
      {value.kind === 'by_month' && <MonthEquity profile={profile} />}
    </section>
  );
}

type Payload = NonNullable<WalletProfile['evidence']>['payload'] | undefined;

/** Of too many entries evidence has none; of an answer in another form nothing is known. */
function hasEntries(payload: Payload): boolean {
  return (payload?.basis?.entries ?? null) !== null;
}

/** Never rejects: what cannot be loaded or added up is drawn by month. */
async function addUp(payload: Payload): Promise<Drawn> {
  try {
    const { EntryEquityPlot, entryEquity } = await import('./entry-equity-plot.js');
    const equity = entryEquity(payload);
    return equity === null ? { kind: 'by_month' } : { kind: 'by_entry', Plot: EntryEquityPlot, equity };
  } catch {
    return { kind: 'by_month' };
  }
}
