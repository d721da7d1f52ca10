import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'

let app: LedgerApp
beforeAll(async () => {
  app = await ledgerApp()
})
afterEach(() => app.noFaults())
afterAll(() => app.close())

const DAY_MS = 86_400_000
type Booked = {
  booking_id: string
  reference: string
  total_price: number
  due_at_property: number
  currency: string
}
/** Amount paid when booking; the rest is due at the property. */
const paid = ({ total_price, due_at_property }: Booked) => Number((total_price - due_at_property).toFixed(2))

async function createBooking(vendorId: string, cancelation: 'free' | 'none' = 'free'): Promise<Booked> {
  for (;;) {
    const room = await app.room(vendorId)
    if (room.cancel_policy.cancelation !== cancelation) continue
    const answer = await app.book(room.booking_info)
    expect(answer.statusCode).toBe(201)
    return answer.json().data
  }
}
const cancel = (id: string, query = '') =>
  app.request({ method: 'POST', url: `/api/accommodation/bookings/${id}/cancel${query}` })
const show = async (id: string) => (await app.request({ url: `/api/accommodation/bookings/${id}` })).json().data
const statusAtVendor = async ({ reference }: Booked) =>
  (await app.ledger()).find(({ ourReference }) => ourReference === reference)?.status

describe.each(STAND_IN_IDS)('cancelling at %s', (vendorId) => {
  test('a booking is cancelled at the vendor for the penalty of the preview, and a repetition returns the same response', async () => {
    const booked = await createBooking(vendorId)
    const preview = (await cancel(booked.booking_id, '?preview=true')).json().data
    const answer = await cancel(booked.booking_id)
    expect([answer.statusCode, answer.json().data.status, answer.json().data.penalty]).toEqual([
      200,
      'cancelled',
      preview.penalty,
    ])
    expect(await statusAtVendor(booked)).toBe('cancelled')
    const shown = await show(booked.booking_id)
    expect(shown).toMatchObject({ status: 'cancelled', cancellation: { penalty: 0, refund: paid(booked) } })
    // Only Hotelbeds numbers its cancellations.
    const number = vendorId === 'hotelbeds' ? expect.stringMatching(/^C\d+$/) : null
    expect(shown.cancellation.vendor_reference).toEqual(number)
    expect(shown.events.map(({ to }: { to: string }) => to).slice(-2)).toEqual(['cancelling', 'cancelled'])
    const calls = await app.calls()
    const again = await cancel(booked.booking_id)
    expect([again.statusCode, again.json()]).toEqual([200, answer.json()])
    expect(await app.calls()).toBe(calls)
  })
})

/** Independent of the vendor; test/contract covers each adapter. */
describe('cancelling', () => {
  const vendorId = 'hotelbeds'

  test('a preview returns the penalty and changes nothing', async () => {
    const booked = await createBooking(vendorId)
    const answer = await cancel(booked.booking_id, '?preview=true')
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      booking_id: booked.booking_id,
      status: 'confirmed',
      preview: true,
      penalty: 0,
      refund: paid(booked),
      currency: booked.currency,
    })
    expect([await statusAtVendor(booked), (await show(booked.booking_id)).status]).toEqual(['confirmed', 'confirmed'])
  })

  test('a penalty that has risen since the preview returns 409 terms_changed with both amounts, and nothing is cancelled', async () => {
    const booked = await createBooking(vendorId)
    const { penalty } = (await cancel(booked.booking_id, '?preview=true')).json().data
    const { penalties } = (await show(booked.booking_id)).cancel_policy
    app.clock.advance(Date.parse(penalties[0].from) - app.clock.now() + 60_000)
    const answer = await cancel(booked.booking_id, `?accept_penalty_up_to=${penalty}`)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'terms_changed'])
    const now = (await cancel(booked.booking_id, '?preview=true')).json().data
    expect(now.penalty).toBeGreaterThan(penalty)
    expect(answer.json().changes).toMatchObject([
      {
        what: 'cancellation_fee',
        shown: { amount: penalty, currency: booked.currency },
        now: { amount: now.penalty, currency: booked.currency },
      },
    ])
    expect([await statusAtVendor(booked), (await show(booked.booking_id)).status]).toEqual(['confirmed', 'confirmed'])
    const agreed = await cancel(booked.booking_id, `?accept_penalty_up_to=${now.penalty}`)
    expect(agreed.json().data).toMatchObject({ status: 'cancelled', penalty: now.penalty })
  })

  test('the preview of a non-refundable rate shows the full price as the penalty', async () => {
    const booked = await createBooking(vendorId, 'none')
    const preview = await cancel(booked.booking_id, '?preview=true')
    expect(preview.json().data).toMatchObject({ penalty: paid(booked), refund: 0 })
  })

  test('a cancellation whose response was lost stays cancelling (202) and is settled by asking the vendor', async () => {
    const booked = await createBooking(vendorId)
    await app.faults({ kind: 'reset_after', operation: 'cancel', times: 1 })
    const answer = await cancel(booked.booking_id)
    expect([answer.statusCode, answer.json().data.status]).toEqual([202, 'cancelling'])
    app.clock.advance(2_000)
    await app.settleBookings()
    expect([await statusAtVendor(booked), (await show(booked.booking_id)).status]).toEqual(['cancelled', 'cancelled'])
  })

  test('a cancellation that never arrived leaves the booking confirmed once the horizon has passed (202)', async () => {
    const booked = await createBooking(vendorId)
    await app.faults({ kind: 'error_before', operation: 'cancel', times: 1 })
    expect((await cancel(booked.booking_id)).statusCode).toBe(202)
    for (let round = 0; round < 10; round += 1) {
      app.clock.advance(4 * 60_000)
      await app.settleBookings()
    }
    expect([await statusAtVendor(booked), (await show(booked.booking_id)).status]).toEqual(['confirmed', 'confirmed'])
    expect((await cancel(booked.booking_id)).json().data.status).toBe('cancelled')
  })

  test('a vendor that throttles returns 503, has cancelled nothing and can be asked again', async () => {
    const booked = await createBooking(vendorId)
    await app.faults({ kind: 'throttle', operation: 'cancel' })
    const answer = await cancel(booked.booking_id)
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'overloaded'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect([await statusAtVendor(booked), (await show(booked.booking_id)).status]).toEqual(['confirmed', 'confirmed'])
    await app.noFaults()
    app.clock.advance(60_000)
    expect((await cancel(booked.booking_id)).json().data).toMatchObject({ status: 'cancelled' })
  })

  test('two concurrent cancellations cancel once', async () => {
    const booked = await createBooking(vendorId)
    const answers = await Promise.all([cancel(booked.booking_id), cancel(booked.booking_id)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body)).size, 'both get the same response').toBe(1)
    expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
    expect((await show(booked.booking_id)).status).toBe('cancelled')
  })

  test('a booking whose stay has begun returns 409 not_cancellable', async () => {
    const booked = await createBooking(vendorId)
    app.clock.advance(50 * DAY_MS)
    const answer = await cancel(booked.booking_id)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'not_cancellable'])
    expect(await statusAtVendor(booked)).toBe('confirmed')
  })
})

test('accept_penalty_up_to must be a number (422)', async () => {
  const answer = await cancel('bkg_1', '?accept_penalty_up_to=nothing')
  expect([answer.statusCode, answer.json().errors[0].field]).toEqual([422, 'accept_penalty_up_to'])
})

test('preview must be true or false (422)', async () => {
  const answer = await cancel('bkg_1', '?preview=maybe')
  expect([answer.statusCode, answer.json().errors[0].field]).toEqual([422, 'preview'])
})
