import { hydratePart } from '../parts/hydrate.js';
import { WalletView } from '../parts/wallet/wallet-view.js';

hydratePart('wallet', WalletView);
