import { expect, test } from 'vitest'
import { createIdempotentRequests } from '../../../src/accounts/store/idempotent-requests.ts'
import { storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { waitForLock } from '../../support/store/wait-for-lock.ts'
import { manualClock } from '../../support/time/clock.ts'

onBothDatabases('idempotency keys', (open) => {
  test('a request repeated while its refused predecessor is forgotten runs again', async () => {
    const requests = createIdempotentRequests(open(), storeKeys, manualClock(1_000))
    const request = { key: 'k', fingerprint: 'f', subject: '' }
    expect(await requests.begin(request)).toHaveProperty('lease')
    const locked = Promise.withResolvers<void>()
    const forget = Promise.withResolvers<void>()
    const forgetting = open().write(async (tx) => {
      await tx.selectFrom('idempotent_requests').selectAll().forUpdate().execute()
      locked.resolve()
      await forget.promise
      await tx.deleteFrom('idempotent_requests').execute()
    })
    await locked.promise
    const repeated = requests.begin(request)
    await waitForLock(open())
    forget.resolve()
    await forgetting
    expect(await repeated).toHaveProperty('lease')
  })
})
