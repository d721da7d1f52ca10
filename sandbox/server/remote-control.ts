import { request } from 'node:http'
import type { VendorControl } from './control.ts'
import type { Fault } from './faults.ts'
import type { LedgerEntry } from './ledger.ts'

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
      await sendRequest(origin, 'POST', '/_sandbox/faults', faults)
    },
    async clearFaults() {
      await sendRequest(origin, 'DELETE', '/_sandbox/faults')
    },
    faults: async () => (await sendRequest(origin, 'GET', '/_sandbox/faults')) as readonly Fault[],
    async change(settings) {
      await sendRequest(origin, 'PUT', '/_sandbox/settings', settings)
    },
    async changeBooking(reference, change) {
      await sendRequest(origin, 'POST', '/_sandbox/bookings', { reference, change })
    },
    ledger: async () => (await sendRequest(origin, 'GET', '/_sandbox/ledger')) as readonly LedgerEntry[],
  }
}

function sendRequest(origin: string, method: string, path: string, body?: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, origin), { method, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('error', reject)
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        if ((answer.statusCode ?? 500) >= 400) reject(new Error(`the sandbox answered ${answer.statusCode}: ${text}`))
        else resolve(text === '' ? undefined : JSON.parse(text))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
