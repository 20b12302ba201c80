import type { Side } from '#domain/market';
import type { Figure, Ticket } from '../../model/order/ticket.js';

interface MoneyTicketProps {
  readonly ticket: Ticket | null;
  readonly side: Side;
}

/** The order in money, as on the venue. Every digit of a figure is in its title. */
export function MoneyTicket({ ticket, side }: MoneyTicketProps) {
  const isBuy = side === 'BUY';
  return (
    <dl class="money">
      <Row name={isBuy ? 'Shares' : 'Shares sold'} figure={ticket?.shares} />
      <Row name="Average price with fee" figure={ticket?.averagePrice} />
      <Row name={isBuy ? 'Total with fee' : 'You receive after fee'} figure={ticket?.total} />
      <Row name={isBuy ? 'Payout if right' : 'Payout given up'} figure={ticket?.payout} />
    </dl>
  );
}

function Row({ name, figure }: { readonly name: string; readonly figure: Figure | null | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number" title={figure?.exact}>
        {figure?.shown ?? '–'}
      </dd>
    </div>
  );
}
