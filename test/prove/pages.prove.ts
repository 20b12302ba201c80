import { everyPageInEveryForm } from '#test/page/browser/every-page';
import { usePages } from '#test/page/support/page-world';

describe('the pages in a browser, all of it', function () {
  const world = usePages(this, { WALLET_JOBS: 'on' });

  describe('every page', () => everyPageInEveryForm(world));
});
