import { expect, test } from 'vitest'
import { randomIds } from '../../../src/lib/ids.ts'
import { createRequestLog, type NotedRequest } from '../../../src/monitoring/request-log.ts'
import type { RequestRow } from '../../../src/store/monitoring-tables.ts'
import type { RequestStore } from '../../../src/store/requests.ts'
import { manualClock } from '../../support/time/clock.ts'

const request: NotedRequest = {
  requestId: 'req_1',
  operation: 'locations.search',
  method: 'GET',
  path: '/api/locations/search',
  status: 200,
  code: undefined,
  ms: 1,
  accountId: 'acc_1',
  keyId: undefined,
  simulated: false,
  searchId: undefined,
  bookingId: undefined,
}

function aLog(add: (rows: readonly RequestRow[]) => Promise<void> = async () => undefined) {
  const written: (readonly RequestRow[])[] = []
  let dropped = 0
  const store = {
    add: async (rows: readonly RequestRow[]) => {
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

test('however many requests come at once, a bounded number waits, and the rest is counted', async () => {
  const { log, written, dropped } = aLog()
  for (let count = 0; count < 5_000; count += 1) log.note(request)
  await log.write()
  expect(written.map((rows) => rows.length)).toEqual([1_000])
  expect(dropped()).toBe(4_000)
  log.note(request)
  await log.write()
  expect(written.at(-1)).toHaveLength(1)
})

test('calls that are refused unseen take little of the room', async () => {
  const { log, written, dropped } = aLog()
  for (const status of [401, 429, 503])
    for (let count = 0; count < 100; count += 1)
      log.note({ ...request, status, accountId: status === 401 ? undefined : 'acc_1' })
  log.note(request)
  await log.write()
  expect(written[0]).toHaveLength(11)
  expect(dropped()).toBe(290)
})

test('while the database is away requests wait, as far as there is room', async () => {
  let isAway = true
  const { log, written, dropped } = aLog(async () => {
    if (isAway) throw new Error('away')
  })
  for (let count = 0; count < 700; count += 1) log.note(request)
  await expect(log.write()).rejects.toThrow('away')
  for (let count = 0; count < 500; count += 1) log.note(request)
  expect(dropped()).toBe(200)
  isAway = false
  await log.write()
  expect(written[0]).toHaveLength(1_000)
})
