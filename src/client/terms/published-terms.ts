/** What can be paid for, by its name in the table of prices of /llms.txt. */
export const PACK = 'credit pack';

/** What /llms.txt says about payments: the reference that every demand is compared with. Stable. */
export interface PublishedTerms {
  /** Public address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** Micro-USDC by operation. */
  readonly prices: ReadonlyMap<string, bigint>;
}

const PRICE = /^\d{1,9}(\.\d{1,6})?$/;

/** Reads the terms from the text of /llms.txt; returns in words what it does not tell. */
export function readPublishedTerms(text: string): PublishedTerms | string {
  const received = (pattern: RegExp) => pattern.exec(text)?.[1] ?? null;
  const baseUrl = received(/^Base address: `([^`\s]+)`/m);
  const network = received(/^- Network: Base, `([^`\s]+)`/m);
  const asset = received(/^- Asset: USDC, `(0x[0-9a-fA-F]{40})`/m);
  const payTo = received(/^- Payee \(payTo\): `(0x[0-9a-fA-F]{40})`/m);
  const prices = pricesIn(text);
  if (baseUrl === null) return 'it does not name the base address';
  if (network === null) return 'it does not name the network';
  if (asset === null) return 'it does not name the asset';
  if (payTo === null) return 'it does not name the payee';
  return prices.size === 0 ? 'it does not list the prices' : { baseUrl, network, asset, payTo, prices };
}

/** Rows of the table whose first column is headed "Operation": name, USDC, credits. */
function pricesIn(text: string): ReadonlyMap<string, bigint> {
  const lines = text.slice(Math.max(0, text.indexOf('| Operation |'))).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(2, end === -1 ? undefined : end).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
  return new Map(rows.flatMap(([name = '', usdc = '']) => (PRICE.test(usdc) ? [[name, toMicros(usdc)]] : [])));
}

function toMicros(usdc: string): bigint {
  const [whole = '0', fraction = ''] = usdc.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}
