import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Node's `fetch` tells of every answer here when its headers are in. */
const CHANNEL = 'undici:request:headers';

interface Heard {
  readonly request: { readonly origin?: unknown };
  /** Names and values in turn. */
  readonly response: { readonly headers: readonly Uint8Array[] };
}

/**
 * Tells what time it is by the `Date` of each answer of one of these hosts, whoever asked and
 * whatever was answered, until the returned function is called.
 */
export function hearDates(urls: readonly string[], hear: (host: string, nowMs: number) => void): () => void {
  const hosts = new Map(urls.map((url) => [new URL(url).origin, new URL(url).host]));
  const onHeaders = (message: unknown) => {
    const { request, response } = message as Heard;
    const host = hosts.get(String(request.origin));
    if (host === undefined) return;
    const nowMs = timeOf(response.headers);
    if (nowMs !== null) hear(host, nowMs);
  };
  subscribe(CHANNEL, onHeaders);
  return () => void unsubscribe(CHANNEL, onHeaders);
}

/** A cache leaves the date as it was, and says how long ago that is. */
function timeOf(headers: readonly Uint8Array[]): number | null {
  const dateMs = Date.parse(headerOf(headers, 'date') ?? '');
  const ageS = Number(headerOf(headers, 'age') ?? 0);
  return Number.isNaN(dateMs) || !(ageS >= 0) ? null : dateMs + ageS * 1e3;
}

function headerOf(headers: readonly Uint8Array[], name: string): string | null {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const found = headers[at]!;
    if (found.length === name.length && textOf(found).toLowerCase() === name) return textOf(headers[at + 1]!);
  }
  return null;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
