import { expect, test } from 'vitest'
import { createWatchLists } from '../../../src/booking/settle/watch-lists.ts'
import { sendingTask } from '../../../src/booking/store/leases.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'
import { manualClock } from '../../support/time/clock.ts'

const cancelled = { reference: 'R1', state: 'cancelled' }

/** A vendor with only a list, which resolves when `answered` does. */
const listing = (id: string, answered: Promise<void>) =>
  ({
    id,
    async *listCancelled() {
      await answered
      yield [cancelled]
    },
  }) as unknown as Vendor

test('a vendor that does not return its list does not delay the lists of others', async () => {
  const slow = Promise.withResolvers<void>()
  const prompted: string[] = []
  const done: string[] = []
  const watchLists = createWatchLists({
    bookings: {
      confirmedAmong: async (_, references) => [...references],
      promptReadings: async (vendorId) => prompted.push(vendorId),
    },
    lists: {
      claim: async (vendorId) => ({ ...sendingTask('', 0), kind: 'list', subject: vendorId }),
      done: async ({ subject }) => done.push(subject) > 0,
    },
    vendors: [listing('slow', slow.promise), listing('quick', Promise.resolve())],
    clock: manualClock(),
  })
  const watched = watchLists()
  await expect.poll(() => done).toEqual(['quick'])
  expect(prompted).toEqual(['quick'])
  slow.resolve()
  await watched
  expect(done).toEqual(['quick', 'slow'])
})
