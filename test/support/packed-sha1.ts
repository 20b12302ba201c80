import { PackedSha1 } from '#domain/book/sent-hash';

/** Returns 40 hexadecimal digits as the scanner of frames keeps them. */
export function packedSha1(text: string): PackedSha1 {
  const bytes = Buffer.from(text, 'hex');
  const [a, b, c, d, e] = [0, 4, 8, 12, 16].map((at) => bytes.readInt32BE(at)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return new PackedSha1(a, b, c, d, e);
}
