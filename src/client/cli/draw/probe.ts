import type { Probe } from '../../answers.js';
import { usdText } from '../../terms/limits.js';
import { plain } from '../plain-text.js';
import { type Frame, line } from './frame.js';

const UNITS = /^\d{1,30}$/;

/** Draws what a service demands for a call, and whether the rules would let it be signed. */
export function drawProbe({ demands, fault }: Probe, frame: Frame): readonly string[] {
  const offers = demands.flatMap(({ version, scheme, network, asset, payTo, amount, maxTimeoutSeconds }) => [
    line(
      frame,
      `x402 v${version}: ${UNITS.test(amount) ? usdText(BigInt(amount)) : plain(amount)}, ${plain(scheme)} on ` +
        `${plain(network)}, open for ${maxTimeoutSeconds} s`,
    ),
    line(frame, `  to    ${plain(payTo)}`, 'quiet'),
    line(frame, `  asset ${plain(asset)}`, 'quiet'),
  ]);
  const verdict =
    demands.length === 0
      ? [line(frame, 'nothing is demanded in a form that can be read', 'care')]
      : fault === null
        ? [line(frame, 'keeps every rule: it would be signed', 'good')]
        : [
            line(frame, `would be refused by ${fault.rule}`, 'bad'),
            line(frame, `  expected ${plain(fault.expected)}`),
            line(frame, `  found    ${plain(fault.found)}`),
          ];
  return [...offers, ...verdict];
}
