import { type PageWorld, usePages } from '#test/page/support/page-world';
import { draw } from '#test/support/draw';
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
import { withoutScript } from './without-script.js';

/** Each in a few seconds of a core and more; one profile and one browser for all of them. */
const PAGES: readonly (readonly [where: string, check: (world: PageWorld) => void])[] = [
  ['every page', everyPageOnce],
  ['/', tryByKeyboard],
  ['the book and the curve', bookAndCurve],
  ['/ on a phone', onPhone],
  ['/wallet', lockedWallet],
  ['/status', statusReadable],
  ['the history of /status', statusHistory],
  ['the commands of /docs', docsCommands],
  ['/docs', docsPages],
  ['the theme', themeSwitch],
  ['without script', withoutScript],
  ['/verify', verifying],
  ['another market', buyingWhatIsChosen],
  ['paying', payingOnce],
  ['pages of others', payingFromElsewhere],
];
const DRAWN = 4;
const drawn = draw(PAGES, DRAWN);

/** A short sample of what `npm run prove -- pages` does. The cases lie in modules beside this one. */
describe(`the pages in a browser (${drawn.how})`, function () {
  const world = usePages(this);

  for (const [where, check] of drawn.cases) describe(where, () => check(world));
});
