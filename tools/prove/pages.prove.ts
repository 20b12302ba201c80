import { walkByKeyboard } from '#test/page/browser/by-keyboard';
import { docsCommands } from '#test/page/browser/docs';
import { everyPageInEveryForm } from '#test/page/browser/every-page';
import { hostileNames } from '#test/page/browser/hostile-names';
import { payingInTrouble, payingOnce } from '#test/page/browser/paying';
import { statusFollows, statusReadable } from '#test/page/browser/status';
import { tryBudgets } from '#test/page/browser/try-budgets';
import { tryAsText, tryByKeyboard, tryInOneFrame, tryUnderFaults } from '#test/page/browser/try-it';
import { tryNumbers } from '#test/page/browser/try-numbers';
import { verifying } from '#test/page/browser/verify';
import { walletNames, walletsLive } from '#test/page/browser/wallets';
import { usePages } from '#test/page/support/page-world';

describe('the pages in a browser, all of it', function () {
  const world = usePages(this, { WALLET_JOBS: 'on' });

  describe('every page', () => everyPageInEveryForm(world));
  describe('/', () => {
    tryByKeyboard(world);
    tryInOneFrame(world);
    tryUnderFaults(world);
    tryAsText(world);
    tryNumbers(world);
    tryBudgets(world);
  });
  describe('/docs', () => docsCommands(world));
  describe('/verify', () => verifying(world));
  describe('/wallet and /wallets', () => {
    walletNames(world);
    walletsLive(world);
  });
  describe('all of it', () => walkByKeyboard(world));
  describe('paying', () => {
    payingOnce(world);
    payingInTrouble(world);
  });
  describe('/status', () => {
    statusReadable(world);
    statusFollows(world);
  });
});

describe('names of markets and wallets that strangers chose', function () {
  hostileNames(usePages(this, { WALLET_JOBS: 'on' }, ['--strange-names']));
});
