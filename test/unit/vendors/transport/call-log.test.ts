import { expect, test } from 'vitest'
import type { VendorCall } from '../../../../src/domain/vendor-call.ts'
import { randomIds } from '../../../../src/lib/crypto/ids.ts'
import type { Call, CallClass } from '../../../../src/vendors/transport/call.ts'
import { createCallLog } from '../../../../src/vendors/transport/call-log.ts'
import { withCallRecords } from '../../../../src/vendors/transport/call-record.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'

const call = (callClass: CallClass): Call => ({
  class: callClass,
  operation: callClass,
  method: 'GET',
  path: '/',
  ifLost: 'none',
})
const context = { signal: new AbortController().signal, requestId: 'req_1' }

function createLog(write: (calls: readonly VendorCall[]) => Promise<void>) {
  const lost: number[] = []
  const log = createCallLog({ ids: randomIds, write, onFailure: (_error, count) => lost.push(count) })
  const createSend = (outcome: number | 'timeout') =>
    withCallRecords(
      async () => {
        if (outcome === 'timeout') throw new VendorError('any', 'timeout', 'none')
        return { status: outcome, headers: {}, body: {} }
      },
      'any',
      { now: () => 0 },
      log.add,
    )
  return { log, lost, createSend }
}

async function flushAll(flush: () => Promise<number>): Promise<void> {
  while ((await flush()) > 0);
}

test('the call log keeps all calls of the booking path, and failures of other calls', async () => {
  const kept: string[] = []
  const { log, createSend } = createLog(async (calls) => {
    kept.push(...calls.map((record) => `${record.operation} ${record.status ?? record.fault}`))
  })
  for (const callClass of ['content', 'search', 'price_check', 'book', 'manage'] as const)
    await createSend(200)(call(callClass), context)
  await createSend(500)(call('search'), context)
  await expect(createSend('timeout')(call('content'), context)).rejects.toThrow(VendorError)
  await flushAll(log.flush)
  expect(kept).toEqual(['price_check 200', 'book 200', 'manage 200', 'search 500', 'content timeout'])
})

test('the call log limits failures of a vendor that is down, but keeps its booking calls', async () => {
  let stored = 0
  const { log, createSend } = createLog(async (calls) => {
    stored += calls.length
  })
  for (let count = 0; count < 500; count += 1) await createSend(503)(call('search'), context)
  await createSend(503)(call('book'), context)
  await flushAll(log.flush)
  expect([stored, log.dropped()]).toEqual([21, 480])
  for (let count = 0; count < 1_500; count += 1) await createSend(200)(call('manage'), context)
  await flushAll(log.flush)
  expect([stored, log.dropped()]).toEqual([1_021, 980])
})

test('a failing store loses only the calls of that batch', async () => {
  let isBroken = true
  const kept: VendorCall[] = []
  const { log, lost, createSend } = createLog(async (calls) => {
    if (isBroken) throw new Error('the disk is full')
    kept.push(...calls)
  })
  await createSend(200)(call('book'), context)
  await flushAll(log.flush)
  isBroken = false
  await createSend(200)(call('manage'), context)
  await flushAll(log.flush)
  expect([lost, kept.map(({ operation }) => operation)]).toEqual([[1], ['manage']])
})
