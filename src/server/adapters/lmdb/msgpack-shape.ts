/** Bytes that follow the head of a scalar, by its head (MessagePack specification, "Formats"). */
const SCALAR_BYTES = new Map([
  [0xc0, 0], // nil
  [0xc2, 0], // false
  [0xc3, 0], // true
  [0xca, 4], // floats
  [0xcb, 8],
  [0xcc, 1], // unsigned integers
  [0xcd, 2],
  [0xce, 4],
  [0xcf, 8],
  [0xd0, 1], // signed integers
  [0xd1, 2],
  [0xd2, 4],
  [0xd3, 8],
]);

/** Heads of the texts and lists whose length follows in so many bits. */
const TEXT_8 = 0xd9;
const TEXT_16 = 0xda;
const TEXT_32 = 0xdb;
const LIST_16 = 0xdc;
const LIST_32 = 0xdd;

/** What is wrong with a row whose value ends somewhere else than the row does. */
export const BROKEN_END = 'its end is not where it should be';
const OTHER_KIND = 'it holds a kind of value that no row holds';

/**
 * Returns where the encoded value of a row ends, or what is wrong with it. The decoder makes room
 * for as many items as a list says that it has, so five damaged bytes cost gigabytes or end the
 * process; here a list may not have more items than bytes are left.
 */
export function msgpackEnd(bytes: Uint8Array): number | string {
  const { length } = bytes;
  let at = 0;
  let valuesLeft = 1;
  while (valuesLeft > 0) {
    if (valuesLeft > length - at) return 'it claims to hold more than its bytes can';
    const head = bytes[at++]!;
    valuesLeft--;
    // Small integers, maps, short lists, short texts: the head says it all.
    if (head < 0x80 || head >= 0xe0) continue;
    if (head < 0x90) return OTHER_KIND;
    if (head < 0xa0) valuesLeft += head & 0x0f;
    else if (head < 0xc0) at += head & 0x1f;
    else if (head === TEXT_8) at += 1 + bytes[at]!;
    else if (head === TEXT_16) at += 2 + uint16(bytes, at);
    else if (head === TEXT_32) at += 4 + uint32(bytes, at);
    else if (head === LIST_16) {
      valuesLeft += uint16(bytes, at);
      at += 2;
    } else if (head === LIST_32) {
      valuesLeft += uint32(bytes, at);
      at += 4;
    } else {
      const scalarBytes = SCALAR_BYTES.get(head);
      if (scalarBytes === undefined) return OTHER_KIND;
      at += scalarBytes;
    }
  }
  return at <= length ? at : BROKEN_END;
}

// Near the end these may read past it. Whatever they then give, the position is no longer inside
// the row, which is a fault.
function uint16(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 256 + bytes[at + 1]!;
}

function uint32(bytes: Uint8Array, at: number): number {
  return uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);
}
