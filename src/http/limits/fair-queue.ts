/** What waits of one address: by token, those of one token in the order in which they came. */
interface Address<T> {
  size: number;
  readonly byToken: Map<string, T[]>;
}

/**
 * A queue in which each address has its turn, and within an address each token: who sends much waits for itself. Maps keep their
 * order, so the first of a map is whose turn it is.
 */
export class FairQueue<T> {
  readonly #byAddress = new Map<string, Address<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(address: string, token: string, item: T): void {
    const place = this.#byAddress.get(address) ?? { size: 0, byToken: new Map<string, T[]>() };
    this.#byAddress.set(address, place);
    const items = place.byToken.get(token) ?? [];
    place.byToken.set(token, items);
    items.push(item);
    place.size++;
    this.#size++;
  }

  /** Takes whose turn it is, and puts its address and token behind the others. */
  take(): T | undefined {
    const [first] = this.#byAddress;
    if (first === undefined) return undefined;
    const [address, place] = first;
    const [token, items] = [...place.byToken][0]!;
    const item = items.shift()!;
    place.byToken.delete(token);
    if (items.length > 0) place.byToken.set(token, items);
    this.#byAddress.delete(address);
    if (--place.size > 0) this.#byAddress.set(address, place);
    this.#size--;
    return item;
  }

  /** The one of a token that has waited for longest. */
  oldestOf(address: string, token: string): T | undefined {
    return this.#byAddress.get(address)?.byToken.get(token)?.[0];
  }

  /** Takes out the newest one of the token that has most waiting, of the address that has most. */
  dropOfLongest(): T | undefined {
    const place = longest([...this.#byAddress.values()], ({ size }) => size);
    const items = place && longest([...place.byToken.values()], ({ length }) => length);
    const item = items?.at(-1);
    if (item !== undefined) this.remove((other) => other === item);
    return item;
  }

  /** Takes out all that fit. */
  remove(isGone: (item: T) => boolean): void {
    for (const [address, place] of this.#byAddress) {
      for (const [token, items] of place.byToken) {
        const left = items.filter((item) => !isGone(item));
        place.size -= items.length - left.length;
        this.#size -= items.length - left.length;
        if (left.length === 0) place.byToken.delete(token);
        else place.byToken.set(token, left);
      }
      if (place.size === 0) this.#byAddress.delete(address);
    }
  }
}

/** The last one of those with most. */
function longest<T>(all: readonly T[], size: (one: T) => number): T | undefined {
  return all.reduce<T | undefined>(
    (most, one) => (most === undefined || size(one) >= size(most) ? one : most),
    undefined,
  );
}
