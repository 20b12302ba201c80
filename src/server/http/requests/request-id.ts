import type { Random } from '#system/random';

/** Random bytes in a request id: enough that two ids never meet. */
const ID_BYTES = 12;
/** Ids made of one draw, because each draw of random bytes costs as much as the rest of the id. */
const IDS_PER_DRAW = 256;

/** Returns a maker of request ids: 24 hexadecimal digits each. Ids of clients are not taken over: they end up in logs. */
export function createRequestIds(random: Pick<Random, 'bytes'>): () => string {
  let pool = '';
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = Buffer.from(random.bytes(ID_BYTES * IDS_PER_DRAW)).toString('hex');
      used = 0;
    }
    used += ID_BYTES * 2;
    return pool.slice(used - ID_BYTES * 2, used);
  };
}
