import { expect, test } from 'vitest'
import { ACCOUNT } from '../../support/app/app.ts'
import { searchApp, searchUntilComplete } from '../../support/app/search-app.ts'

test('a booking above the budget is refused after a price check, and no booking is sent to the vendor', async () => {
  await using stack = new AsyncDisposableStack()
  const app = await searchApp()
  stack.defer(() => app.close())
  await searchUntilComplete(app)
  const accountId = (await app.manageAccounts.byEmail(ACCOUNT.email))?.id ?? ''
  const { secret } = await app.manageKeys.create(
    { accountId, role: 'client' },
    {
      name: 'n',
      mode: 'live',
      scopes: ['search', 'book', 'read'],
      perMinute: undefined,
      budget: { limit: { minor: 100, currency: 'EUR' }, per: 'day' },
    },
  )
  const { search_id, availability } = await app.search({ vendors: ['hotelbeds'] })
  const detail = await app.detail(search_id, availability[0]?.property_id ?? '')
  const [room] = detail.json().accommodation.available_rooms
  app.traffic.reset()
  const refused = await app.as(secret, { method: 'POST', url: '/api/accommodation/book', payload: room.booking_info })
  expect(refused.json()).toMatchObject({ status: 402, code: 'budget_exceeded', effect: 'none' })
  const calls = app.traffic.calls('hotelbeds')
  expect(calls.filter((call) => call.includes('checkrates'))).toHaveLength(1)
  expect(calls.filter((call) => call.includes('/bookings'))).toEqual([])
})
