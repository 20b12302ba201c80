interface Fixture {
  open(...args: never): Promise<{ close(): Promise<void> }>;
  remove(): Promise<void>;
}

/** The same fixture, which closes what it has opened before it is removed. */
export function closing<F extends Fixture>(fixture: F): F {
  const opened: { close(): Promise<void> }[] = [];
  return {
    ...fixture,
    async open(...args: never) {
      const store = await fixture.open(...args);
      opened.push(store);
      return store;
    },
    async remove() {
      await Promise.all(opened.map((store) => store.close()));
      await fixture.remove();
    },
  };
}
