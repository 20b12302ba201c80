import { wake } from '../parts/wake.js';
import { WalletView } from '../parts/wallet/wallet-view.js';

wake('wallet', WalletView);
