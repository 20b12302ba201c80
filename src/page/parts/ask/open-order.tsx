import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { mayBeOpen } from '../../model/pay/open-key.js';
import { tabStorage } from '../pay/tab-storage.js';
import { BuyVerdict } from './buy-verdict.js';

/**
 * A verdict that was paid for when the page was last left, gone on with; nothing where there is
 * none.
 */
export function OpenOrder() {
  const isOpen = useSignal(false);
  useEffect(() => {
    isOpen.value = mayBeOpen(tabStorage(), 'preflight_trade');
  }, []);
  if (!isOpen.value) return null;
  return <BuyVerdict wanted={{ tool: 'preflight_trade', args: {} }} resumesAny />;
}
