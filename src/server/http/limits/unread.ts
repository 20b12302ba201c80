import type { ServerResponse } from 'node:http';
import type { Timers } from '#ports/timers';
import { UNREAD_WAIT_MS } from './limits.js';

/**
 * Closes the connection of an answer that has been written and that its client does not read. To be called when the answer has
 * been ended; one that went out whole costs nothing here.
 */
export function closeUnread(res: ServerResponse, timers: Timers): void {
  const { socket } = res;
  // Without a socket it waits behind another answer of its connection, which is looked at itself.
  if (socket === null || socket.writableLength === 0) return;
  const over = new AbortController();
  res.once('close', () => over.abort());
  void timers.sleep(UNREAD_WAIT_MS, over.signal).then(() => {
    if (!over.signal.aborted) socket.destroy();
  });
}
