/** Something that grows and shrinks; nothing is of size 0. `at` is its place among those of its size. */
export interface Sized {
  size: number;
  at: number;
}

/** Groups by size. Each step takes the same time however many there are, and knows the largest. */
export class BySize<Group extends Sized> {
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

  /** Returns one of the largest groups, the last one that grew if it is among them; undefined if there are none. */
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
