import type { ServerResponse } from 'node:http'

/** Calls `listener` when the response is finished or the client disconnects; at once if that has already happened. */
export function onClose(raw: ServerResponse, listener: () => void): void {
  if (raw.destroyed || raw.closed) listener()
  else raw.once('close', listener)
}
