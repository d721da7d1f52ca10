import { expect, test } from 'vitest'
import type { NotedRequest } from '../../../src/domain/noted-request.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { createRequestLog } from '../../../src/operator/request-log.ts'
import type { RequestStore } from '../../../src/operator/store/requests.ts'
import type { Tables } from '../../../src/store/tables.ts'
import { manualClock } from '../../support/time/clock.ts'

const request: NotedRequest = {
  requestId: 'req_1',
  operation: 'search.create',
  method: 'POST',
  path: '/api/accommodation_searches/search',
  status: 200,
  code: undefined,
  ms: 1,
  accountId: 'acc_1',
  keyId: undefined,
  simulated: false,
  searchId: undefined,
  bookingId: undefined,
}

function createLog(add: (rows: readonly Tables['requests'][]) => Promise<void> = async () => undefined) {
  const written: (readonly Tables['requests'][])[] = []
  let dropped = 0
  const store = {
    add: async (rows: readonly Tables['requests'][]) => {
      await add(rows)
      written.push(rows)
    },
  } as unknown as RequestStore
  const log = createRequestLog({
    store,
    clock: manualClock(),
    ids: randomIds,
    onDropped: (count) => {
      dropped += count
    },
  })
  return { log, written, dropped: () => dropped }
}

test('the number of queued requests is limited, and the rest is counted as dropped', async () => {
  const { log, written, dropped } = createLog()
  for (let count = 0; count < 5_000; count += 1) log.note(request)
  await log.write()
  expect(written.flat()).toHaveLength(1_000)
  // Each batch is its own transaction, so that it does not hold up requests.
  expect(Math.max(...written.map((rows) => rows.length))).toBe(100)
  expect(dropped()).toBe(4_000)
  log.note(request)
  await log.write()
  expect(written.at(-1)).toHaveLength(1)
})

test('refused requests use only a small part of the log', async () => {
  const { log, written, dropped } = createLog()
  for (const status of [401, 429, 503])
    for (let count = 0; count < 100; count += 1)
      log.note({ ...request, status, accountId: status === 401 ? undefined : 'acc_1' })
  log.note(request)
  await log.write()
  expect(written[0]).toHaveLength(11)
  expect(dropped()).toBe(290)
})

test('few successful location searches are logged, but all failed ones', async () => {
  const { log, written, dropped } = createLog()
  const typed = { ...request, operation: 'locations.search' }
  for (let count = 0; count < 100; count += 1) log.note(typed)
  for (let count = 0; count < 100; count += 1) log.note({ ...typed, status: 422 })
  for (let count = 0; count < 100; count += 1) log.note(request)
  await log.write()
  expect(written.flat().filter(({ status }) => status === 422)).toHaveLength(100)
  expect(written.flat()).toHaveLength(210)
  expect(dropped()).toBe(90)
  log.note(typed)
  await log.write()
  expect(written.flat()).toHaveLength(211)
})

test('while the database is unavailable, requests are queued up to the limit', async () => {
  let isAway = true
  const { log, written, dropped } = createLog(async () => {
    if (isAway) throw new Error('away')
  })
  for (let count = 0; count < 700; count += 1) log.note(request)
  await expect(log.write()).rejects.toThrow('away')
  for (let count = 0; count < 500; count += 1) log.note(request)
  expect(dropped()).toBe(200)
  isAway = false
  await log.write()
  expect(written.flat()).toHaveLength(1_000)
})

test('requests written before the database failed are not written again', async () => {
  let parts = 0
  const { log, written } = createLog(async () => {
    parts += 1
    if (parts === 3) throw new Error('away')
  })
  for (let count = 0; count < 500; count += 1) log.note({ ...request, requestId: `req_${count}` })
  await expect(log.write()).rejects.toThrow('away')
  await log.write()
  expect(written.flat().map(({ request_id }) => request_id)).toEqual(
    Array.from({ length: 500 }, (_, count) => `req_${count}`),
  )
})
