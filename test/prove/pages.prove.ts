import { docsCommands } from '#test/page/browser/docs';
import { everyPageInEveryForm } from '#test/page/browser/every-page';
import { statusFollows, statusReadable } from '#test/page/browser/status';
import { usePages } from '#test/page/support/page-world';

describe('the pages in a browser, all of it', function () {
  const world = usePages(this, { WALLET_JOBS: 'on' });

  describe('every page', () => everyPageInEveryForm(world));
  describe('/docs', () => docsCommands(world));
  describe('/status', () => {
    statusReadable(world);
    statusFollows(world);
  });
});
