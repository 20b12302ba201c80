import { hydratePart } from '../parts/hydrate.js';
import { WalletList } from '../parts/wallets/wallet-list.js';

hydratePart('leaderboard', WalletList);
hydratePart('red-list', WalletList);
