import { usePages } from '#test/page/support/page-world';
import { buyingWhatIsChosen } from './another-market.js';
import { bookAndCurve } from './book-and-curve.js';
import { docsCommands, docsPages } from './docs.js';
import { everyPageOnce } from './every-page.js';
import { lockedWallet } from './locked-wallet.js';
import { onPhone } from './on-a-phone.js';
import { payingFromElsewhere } from './other-origin.js';
import { payingOnce } from './paying.js';
import { statusHistory, statusReadable } from './status.js';
import { themeSwitch } from './theme.js';
import { tryByKeyboard } from './try-it.js';
import { verifying } from './verify.js';

/**
 * A short sample of what `npm run prove -- pages` does: one profile and one browser for all of it.
 * The cases lie in modules beside this one, a sample and a whole in each.
 */
describe('the pages in a browser', function () {
  const world = usePages(this);

  describe('every page', () => everyPageOnce(world));
  describe('/', () => tryByKeyboard(world));
  describe('the book and the curve', () => bookAndCurve(world));
  describe('/ on a phone', () => onPhone(world));
  describe('/wallet', () => lockedWallet(world));
  describe('/status', () => {
    statusReadable(world);
    statusHistory(world);
  });
  describe('/docs', () => {
    docsCommands(world);
    docsPages(world);
  });
  describe('the theme', () => themeSwitch(world));
  describe('/verify', () => verifying(world));
  describe('another market', () => buyingWhatIsChosen(world));
  describe('paying', () => payingOnce(world));
  describe('pages of others', () => payingFromElsewhere(world));
});
