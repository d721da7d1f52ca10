import { expect, test } from 'vitest'
import type { VendorCall } from '../../../../src/domain/vendor-call.ts'
import { randomIds } from '../../../../src/lib/crypto/ids.ts'
import type { Call, CallClass } from '../../../../src/vendors/transport/call.ts'
import { createCallLog } from '../../../../src/vendors/transport/call-log.ts'
import { withCallRecords } from '../../../../src/vendors/transport/call-record.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'

const call = (of: CallClass): Call => ({ class: of, operation: of, method: 'GET', path: '/', ifLost: 'none' })
const context = { signal: new AbortController().signal, requestId: 'req_1' }

function logOf(write: (calls: readonly VendorCall[]) => Promise<void>) {
  const lost: number[] = []
  const log = createCallLog({ ids: randomIds, write, onFailure: (_error, count) => lost.push(count) })
  const sendOf = (outcome: number | 'timeout') =>
    withCallRecords(
      async () => {
        if (outcome === 'timeout') throw new VendorError('any', 'timeout', 'none')
        return { status: outcome, headers: {}, body: {} }
      },
      'any',
      { now: () => 0 },
      log.add,
    )
  return { log, lost, sendOf }
}

async function all(flush: () => Promise<number>): Promise<void> {
  while ((await flush()) > 0);
}

test('every call on the way of a booking is kept, and of others those that failed', async () => {
  const kept: string[] = []
  const { log, sendOf } = logOf(async (calls) => {
    kept.push(...calls.map((one) => `${one.operation} ${one.status ?? one.fault}`))
  })
  for (const of of ['content', 'search', 'price_check', 'book', 'manage'] as const) await sendOf(200)(call(of), context)
  await sendOf(500)(call('search'), context)
  await expect(sendOf('timeout')(call('content'), context)).rejects.toThrow(VendorError)
  await all(log.flush)
  expect(kept).toEqual(['price_check 200', 'book 200', 'manage 200', 'search 500', 'content timeout'])
})

test('a vendor that is down fills neither the memory nor the store; its bookings are kept all the same', async () => {
  let stored = 0
  const { log, sendOf } = logOf(async (calls) => {
    stored += calls.length
  })
  for (let count = 0; count < 500; count += 1) await sendOf(503)(call('search'), context)
  await sendOf(503)(call('book'), context)
  await all(log.flush)
  expect([stored, log.dropped()]).toEqual([21, 480])
  for (let count = 0; count < 1_500; count += 1) await sendOf(200)(call('manage'), context)
  await all(log.flush)
  expect([stored, log.dropped()]).toEqual([1_021, 980])
})

test('a store that fails costs the calls of that batch and nothing else', async () => {
  let isBroken = true
  const kept: VendorCall[] = []
  const { log, lost, sendOf } = logOf(async (calls) => {
    if (isBroken) throw new Error('the disk is full')
    kept.push(...calls)
  })
  await sendOf(200)(call('book'), context)
  await all(log.flush)
  isBroken = false
  await sendOf(200)(call('manage'), context)
  await all(log.flush)
  expect([lost, kept.map(({ operation }) => operation)]).toEqual([[1], ['manage']])
})
