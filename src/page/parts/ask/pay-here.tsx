import type { Terms } from '../../model/ask/ask-terms.js';
import { wantedBy } from '../../model/pay/bought.js';
import { BuyVerdict } from './buy-verdict.js';

/**
 * The terms of a payment in words, and the place for paying: `path` is the request that the payment
 * is for.
 */
export function PayHere({ terms, path }: { readonly terms: Terms; readonly path: string }) {
  const wanted = wantedBy({ method: 'GET', url: `${location.origin}${path}`, body: null });
  const { priceUsdc, network, payTo, asset, withinS } = terms;
  return (
    <div class="terms" data-request={path}>
      <p>
        The service answered 402, payment required: <b class="number">{priceUsdc} USDC</b> on {network}, for this one
        answer. A payment that is signed for it is valid for {withinS} s; only an answer with status 200 is charged.
      </p>
      <dl>
        <dt>For</dt>
        <dd class="number foreign">GET {path}</dd>
        <dt>To</dt>
        <dd class="number foreign">{payTo}</dd>
        <dt>In the asset</dt>
        <dd class="number foreign">{asset}</dd>
      </dl>
      {wanted !== null && <BuyVerdict key={path} wanted={wanted} />}
    </div>
  );
}
