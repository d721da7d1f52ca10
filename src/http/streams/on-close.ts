import type { ServerResponse } from 'node:http'

/**
 * Calls `act` when the answer is finished or its client has gone. A client may go while something before this was waited for:
 * its event has passed then and does not come again, so `act` is called at once.
 */
export function onClose(raw: ServerResponse, act: () => void): void {
  if (raw.destroyed || raw.closed) act()
  else raw.once('close', act)
}
