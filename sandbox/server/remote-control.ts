import type { VendorControl } from './control.ts'
import type { Fault } from './faults.ts'
import type { LedgerEntry } from './ledger.ts'
import { sendRequest } from './send-request.ts'

/** Controls of stand-ins in another process, through their `/_sandbox/` paths. */
export function remoteControls<Id extends string>(
  origins: Readonly<Record<Id, string>>,
): Readonly<Record<Id, VendorControl>> {
  const controls = Object.entries<string>(origins).map(([id, origin]) => [id, remoteControl(origin)])
  return Object.fromEntries(controls) as Record<Id, VendorControl>
}

function remoteControl(origin: string): VendorControl {
  return {
    async addFaults(...faults) {
      await sendControl(origin, 'POST', '/_sandbox/faults', faults)
    },
    async clearFaults() {
      await sendControl(origin, 'DELETE', '/_sandbox/faults')
    },
    faults: async () => (await sendControl(origin, 'GET', '/_sandbox/faults')) as readonly Fault[],
    async change(settings) {
      await sendControl(origin, 'PUT', '/_sandbox/settings', settings)
    },
    async changeBooking(reference, change) {
      await sendControl(origin, 'POST', '/_sandbox/bookings', { reference, change })
    },
    ledger: async () => (await sendControl(origin, 'GET', '/_sandbox/ledger')) as readonly LedgerEntry[],
  }
}

/** Sends a control request; rejects unless it was accepted. */
export async function sendControl(origin: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await sendRequest({ method, url: new URL(path, origin).href, ...text })
  if (answer.status >= 400) throw new Error(`the sandbox answered ${answer.status}: ${answer.text}`)
  return answer.text === '' ? undefined : JSON.parse(answer.text)
}
