import { expect, test } from 'vitest'
import { getTimeoutMs } from '../../../packages/client/src/policy.ts'
import { PRICE_CHECK_TIMEOUT_MS } from '../../../src/booking/offer/check-offer.ts'
import { CANCEL_TIMEOUT_MS, LOOKUP_TIMEOUT_MS } from '../../../src/booking/settle/settle-bookings.ts'
import { CALL_TIMEOUT_MS } from '../../../src/payments/drive-payment.ts'
import { scripted } from '../vendors/liteapi/scripted.ts'

test.each([
  ['booking.cancel', CANCEL_TIMEOUT_MS],
  ['operator.bookingsCancel', CANCEL_TIMEOUT_MS],
  ['operator.bookingsRead', LOOKUP_TIMEOUT_MS],
  ['booking.checkPrice', scripted([]).vendor.capabilities.priceCheckTimeoutMs ?? 0],
  ['payments.create', PRICE_CHECK_TIMEOUT_MS + 2 * CALL_TIMEOUT_MS],
  ['payments.show', CALL_TIMEOUT_MS],
])('the client waits longer for %s than the service waits for others', (name, vendorMs) => {
  expect(getTimeoutMs(name, {})).toBeGreaterThan(vendorMs)
})
