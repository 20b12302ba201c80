import { needAnvil } from '#test/local/support/chain-harness';
import { rotateCdpKeys } from './cdp-keys.js';
import { playBoardLate } from './incidents/board-late.js';
import { playSettlementUnproven } from './incidents/settlement-unproven.js';
import { playStoreDown } from './incidents/store-down.js';
import { playVenueFrozen } from './incidents/venue-frozen.js';
import { Operated } from './support/operated.js';
import { followWordByWord } from './word-by-word.js';

/**
 * Needs Node, a shell, curl and the registry of npm, and nothing else: docs/operate.md is read and
 * done, and the venue, the chain and the facilitator are those of a local profile.
 */
describe('docs/operate.md', () => {
  let operated: Operated;
  before(async function () {
    needAnvil(this);
    operated = await Operated.prepare();
  });
  after(() => operated?.close());

  followWordByWord(() => operated);
  describe('its pages of incidents, played', () => {
    playVenueFrozen(() => operated);
    playBoardLate(() => operated);
    playStoreDown(() => operated);
    playSettlementUnproven(() => operated);
  });
  rotateCdpKeys(() => operated);
});
