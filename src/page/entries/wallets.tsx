import { wake } from '../parts/wake.js';
import { WalletList } from '../parts/wallets/wallet-list.js';

wake('leaderboard', WalletList);
wake('red-list', WalletList);
