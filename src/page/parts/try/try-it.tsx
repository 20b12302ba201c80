import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ReceivedExample, ReceivedMarket } from '../../model/market/received.js';
import { shownName } from '../../model/market/shown-name.js';
import { curveView, followCurve } from '../../model/try/curve-view.js';
import { type Chosen, type Listing, TryState } from '../../model/try/try-state.js';
import { AskOutside } from '../ask/ask-outside.js';
import { Choice } from '../choice.js';
import { Curve } from '../curve/curve.js';
import { Ladder } from '../ladder/ladder.js';
import { SIDES } from '../sides.js';
import { NumbersTable } from '../verdict/numbers-table.js';
import { VerdictBar } from '../verdict/verdict-bar.js';
import { VerdictCard } from '../verdict/verdict-card.js';
import { Announced } from './announced.js';
import { askPlainly, browserWorld } from './browser-world.js';
import { Limits } from './limits.js';
import { SizeField } from './size-field.js';

export interface TryItProps {
  /** What is shown before there is a live book, and where there is none. */
  readonly example: ReceivedExample;
  readonly baseUrl: string;
}

/**
 * An order on a moving book: what it would take, what it costs, and what the service says to it.
 */
export function TryIt({ example, baseUrl }: TryItProps) {
  const state = useMemo(() => new TryState(example), [example]);
  const curve = useSignal(useMemo(() => curveView(state), [state]));
  useEffect(() => {
    const stops = [state.start(browserWorld), followCurve(state, curve, browserWorld.system)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [state, curve]);
  const [fields, reading, judged] = [state.fields.value, state.reading.value, state.judged.value];
  const fault = reading.kind === 'invalid' ? reading : null;
  const change = (changed: Partial<typeof fields>) => state.change(changed);
  const isStale =
    judged !== null && judged.body.numbers.book_age_seconds > judged.body.meta.thresholds.book_stale_veto_seconds;
  return (
    <div class="try">
      <section class="card ticket" aria-labelledby="order-title">
        <h2 id="order-title">Your order</h2>
        <FeedLine state={state} />
        <MarketPicker
          listing={state.listing.value}
          chosen={state.chosen.value}
          onChoose={(chosen) => state.choose(chosen)}
        />
        <Choice name="side" legend="Side" options={SIDES} chosen={fields.side} onChoose={(side) => change({ side })} />
        <SizeField
          usd={fields.usd}
          fault={fault?.field === 'usd' ? fault.why : null}
          depthUsd={state.depthUsd.value}
          onChange={(usd) => change({ usd })}
        />
        <Limits fields={fields} reading={reading} onChange={change} />
        <AskOutside baseUrl={baseUrl} fields={fields} ask={askPlainly} />
      </section>
      <VerdictCard
        judged={judged}
        side={fields.side}
        why={fault?.why ?? state.feedWords.value.text}
        origin={
          state.isExample.value ? 'on the example book' : state.isLive.value ? 'on the live book' : 'on the last book'
        }
        onSafeSize={(usd) => change({ usd: String(usd) })}
      />
      <div class="evidence">
        <Curve view={curve} />
        <Ladder
          view={state.ladder.value}
          side={fields.side}
          exit={judged?.exit?.answer ?? null}
          ageS={state.ageMs.value === null ? null : state.ageMs.value / 1e3}
          isStale={isStale}
          isLive={state.isLive.value}
        />
      </div>
      <NumbersTable numbers={judged?.body.numbers ?? null} />
      <VerdictBar judged={judged} />
      <Announced judged={state.judged} system={browserWorld.system} />
    </div>
  );
}

/** Where the book is from, and what is the matter with it. */
function FeedLine({ state }: { readonly state: TryState }) {
  const { listing, isExample, feedWords } = state;
  const failure = listing.value.kind === 'none' ? listing.value.why : null;
  const words = isExample.value
    ? { tone: failure === null ? 'calm' : 'warn', text: `Example, not live. ${failure ?? ''}` }
    : feedWords.value;
  return (
    <p class={`feed ${words.tone}`} id="feed">
      {words.text}
    </p>
  );
}

interface MarketPickerProps {
  readonly listing: Listing;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

/** The markets that can be tried, and the outcomes of the chosen one. */
function MarketPicker({ listing, chosen, onChoose }: MarketPickerProps) {
  const listed = listing.kind === 'listed' ? listing.markets : [];
  const isListed = listed.includes(chosen.market);
  const markets: readonly ReceivedMarket[] = isListed ? listed : [chosen.market, ...listed];
  const { market, outcome } = chosen;
  const pick = (at: number) => {
    const picked = markets[at];
    if (picked !== undefined) onChoose({ market: picked, outcome: picked.outcomes[0]! });
  };
  return (
    <div class="picker">
      <label for="market">Market</label>
      <select
        id="market"
        class="foreign"
        value={String(markets.indexOf(market))}
        onChange={(event) => pick(Number(event.currentTarget.value))}
      >
        {markets.map(({ question }, at) => (
          <option value={String(at)} selected={at === markets.indexOf(market)}>
            {shownName(question)}
          </option>
        ))}
      </select>
      <Choice
        key={market.slug}
        name="outcome"
        legend="Outcome"
        options={market.outcomes.map(({ label, token_id }) => ({ value: token_id, label: shownName(label) }))}
        chosen={outcome.token_id}
        onChoose={(tokenId) =>
          onChoose({ market, outcome: market.outcomes.find(({ token_id }) => token_id === tokenId) ?? outcome })
        }
      />
    </div>
  );
}
