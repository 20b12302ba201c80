/**
 * Something that grows and shrinks; nothing is of size 0. `at` is its place among those of its
 * size.
 */
interface Sized {
  size: number;
  at: number;
}

/** What waits of one token, in the order in which it came. */
interface Token<T> extends Sized {
  readonly name: string;
  items: T[];
}

/** What waits of one address. */
interface Address<T> extends Sized {
  readonly name: string;
  readonly byToken: Map<string, Token<T>>;
  readonly tokens: BySize<Token<T>>;
}

/**
 * A queue in which each address has its turn, and within an address each token: who sends much
 * waits for itself. Maps keep their order, so the first of a map is whose turn it is. But for
 * `remove`, a step takes as long for thousands as for one.
 */
export class FairQueue<T> {
  readonly #byAddress = new Map<string, Address<T>>();
  readonly #addresses = new BySize<Address<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(address: string, token: string, item: T): void {
    const queue = this.#byAddress.get(address) ?? newAddress(address);
    const own = queue.byToken.get(token) ?? { name: token, size: 0, at: 0, items: [] };
    own.items.push(item);
    this.#keep(queue, own);
  }

  /** Takes whose turn it is, and puts its address and token behind the others. */
  take(): T | undefined {
    const [queue] = this.#byAddress.values();
    if (queue === undefined) return undefined;
    const [own] = queue.byToken.values();
    const item = own!.items.shift()!;
    this.#byAddress.delete(queue.name);
    queue.byToken.delete(own!.name);
    this.#keep(queue, own!);
    return item;
  }

  /** The one of a token that has waited for longest. */
  oldestOf(address: string, token: string): T | undefined {
    return this.#byAddress.get(address)?.byToken.get(token)?.items[0];
  }

  /**
   * Takes out the newest one of the token that has most waiting, of the address that has most. Of
   * several with as much that is who came last, if it is one of them.
   */
  dropOfLongest(): T | undefined {
    const queue = this.#addresses.largest();
    const own = queue?.tokens.largest();
    if (queue === undefined || own === undefined) return undefined;
    const item = own.items.pop()!;
    this.#keep(queue, own);
    return item;
  }

  /** Takes out all that fit. */
  remove(isGone: (item: T) => boolean): void {
    for (const queue of this.#byAddress.values()) {
      for (const own of queue.byToken.values()) {
        own.items = own.items.filter((item) => !isGone(item));
        if (own.items.length < own.size) this.#keep(queue, own);
      }
    }
  }

  /** Counts what a token has more or less than it had; who has nothing left is forgotten. */
  #keep(queue: Address<T>, own: Token<T>): void {
    const more = own.items.length - own.size;
    this.#size += more;
    queue.tokens.resize(own, own.items.length);
    this.#addresses.resize(queue, queue.size + more);
    if (own.size > 0) queue.byToken.set(own.name, own);
    else queue.byToken.delete(own.name);
    if (queue.size > 0) this.#byAddress.set(queue.name, queue);
    else this.#byAddress.delete(queue.name);
  }
}

function newAddress<T>(name: string): Address<T> {
  return { name, size: 0, at: 0, byToken: new Map(), tokens: new BySize() };
}

/** Groups by size. Each step takes the same time however many there are, and knows the largest. */
class BySize<Group extends Sized> {
  readonly #bySize: Group[][] = [[]];

  /** The group is of another size from now on. Sizes grow by one at a time. */
  resize(group: Group, size: number): void {
    this.#leave(group);
    group.size = size;
    if (size > 0) {
      this.#bySize[size] ??= [];
      group.at = this.#bySize[size].push(group) - 1;
    }
    while (this.#bySize.length > 1 && this.#bySize.at(-1)!.length === 0) this.#bySize.pop();
  }

  /**
   * Returns one of the largest groups, the last one that grew if it is among them; undefined if
   * there are none.
   */
  largest(): Group | undefined {
    return this.#bySize.at(-1)!.at(-1);
  }

  #leave({ size, at }: Group): void {
    if (size === 0) return;
    const same = this.#bySize[size]!;
    const last = same.pop()!;
    if (at === same.length) return;
    same[at] = last;
    last.at = at;
  }
}
