import { PAGE_PATHS } from '#api/pages';

/** What a browser gets for an address where there is nothing. */
export function Missing() {
  return (
    <>
      <h1>There is no page at this address</h1>
      <p>
        <a href={PAGE_PATHS.landing}>Try an order</a>, read the <a href={PAGE_PATHS.docs}>documentation</a>, or look at
        the <a href={PAGE_PATHS.status}>status</a> of the service. Programs find every endpoint in{' '}
        <a href="/llms.txt">/llms.txt</a>.
      </p>
    </>
  );
}
