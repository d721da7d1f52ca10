import { request } from 'node:http'
import type { Fault } from './faults.ts'
import type { LedgerEntry } from './ledger.ts'
import type { VendorControl } from './sandbox.ts'

/** The controls of a stand-in in another process, over its own `/_sandbox/` addresses. */
export function remoteControl(origin: string): VendorControl {
  return {
    async addFaults(...faults) {
      await ask(origin, 'POST', '/_sandbox/faults', faults)
    },
    async clearFaults() {
      await ask(origin, 'DELETE', '/_sandbox/faults')
    },
    faults: async () => (await ask(origin, 'GET', '/_sandbox/faults')) as readonly Fault[],
    ledger: async () => (await ask(origin, 'GET', '/_sandbox/ledger')) as readonly LedgerEntry[],
  }
}

function ask(origin: string, method: string, path: string, body?: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, origin), { method, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('error', reject)
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        if ((answer.statusCode ?? 500) >= 400) reject(new Error(`the sandbox answered ${answer.statusCode}: ${text}`))
        else resolve(text === '' ? undefined : JSON.parse(text))
      })
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
