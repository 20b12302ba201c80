import { request } from 'node:http';

/** An answer as it went over the wire: a body that is compressed stays so. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/**
 * GETs a URL with these headers alone. fetch() would add an Accept-Encoding, and take the encoding
 * off again.
 */
export function getBytes(url: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, async (response) => {
      const body = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode!, headers: response.headers as RawAnswer['headers'], body });
    })
      .on('error', reject)
      .end();
  });
}
