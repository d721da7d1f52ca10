import { expect, test } from 'vitest'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { createFindAnything } from '../../../src/operator/find-anything.ts'
import { createOperatorBookingStore } from '../../../src/operator/store/bookings.ts'
import { storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

onBothDatabases('finding anything', (open) => {
  test('a text with a character that no database stores finds nothing', async () => {
    const database = open()
    const find = createFindAnything({
      bookings: createOperatorBookingStore(database, storeKeys),
      accounts: createAccountStore(database),
      requests: { write: async () => 0, byRequestId: async () => [] },
    })
    expect(await find('Ana\0Costa')).toMatchObject({ bookings: [], accounts: [], requests: [] })
  })
})
