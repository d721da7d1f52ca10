import { expect, test } from 'vitest'
import { getTimeoutMs } from '../../../packages/client/src/policy.ts'
import { CANCEL_TIMEOUT_MS, LOOKUP_TIMEOUT_MS } from '../../../src/booking/settle/settle-bookings.ts'

test.each([
  ['booking.cancel', CANCEL_TIMEOUT_MS],
  ['operator.bookingsCancel', CANCEL_TIMEOUT_MS],
  ['operator.bookingsRead', LOOKUP_TIMEOUT_MS],
])('the client waits longer for %s than the service waits for the vendor', (name, vendorMs) => {
  expect(getTimeoutMs(name, {})).toBeGreaterThan(vendorMs)
})
