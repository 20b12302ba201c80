import type { ReceivedMarket } from '../../model/market/received.js';
import { shownName } from '../../model/market/shown-name.js';
import type { Chosen, Listing } from '../../model/try/try-state.js';
import { Choice } from './choice.js';

interface MarketPickerProps {
  readonly listing: Listing;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

/** The markets that can be tried, and the outcomes of the chosen one. */
export function MarketPicker({ listing, chosen, onChoose }: MarketPickerProps) {
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
