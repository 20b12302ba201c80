interface Resolved {
  readonly url: string;
  readonly shortCircuit?: boolean;
}
type Next = (specifier: string, context: object) => Promise<Resolved>;

const PLANTED = new URL('./planted-state.js', import.meta.url).href;

/** Gives the planted state to the guard, and the real one to all others. */
export async function resolve(
  specifier: string,
  context: { readonly parentURL?: string },
  next: Next,
): Promise<Resolved> {
  const isOfGuard = context.parentURL?.endsWith('/client/guard/guard.js') ?? false;
  if (isOfGuard && specifier === './state/guard-state.js') return { url: PLANTED, shortCircuit: true };
  return next(specifier, context);
}
