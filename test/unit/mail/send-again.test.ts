import { expect, test } from 'vitest'
import type { BookingEvent } from '../../../src/domain/booking/booking.ts'
import type { MailContent } from '../../../src/domain/mail.ts'
import { createResendMail } from '../../../src/mail/resend-mail.ts'
import { aBooking } from '../../support/booking/an-offer.ts'
import { manualClock } from '../../support/time/clock.ts'

test('a mail that is sent again explains the latest change of state, whatever was found since', async () => {
  const added: MailContent[] = []
  const send = createResendMail({
    mails: { add: async (content) => void added.push(content), retry: async () => false },
    choosePurpose: () => 'send',
    clock: manualClock(),
  })
  const at = 1
  const events: BookingEvent[] = [
    { sequence: 4, from: 'confirmed', to: 'needs_review', at, reason: 'property_differs' },
    { sequence: 5, from: 'needs_review', to: 'needs_review', at, reason: 'price_differs', kind: 'discrepancy' },
  ]
  await send(aBooking({ state: 'needs_review' }), events, undefined)
  expect(added).toMatchObject([{ event: { sequence: 5, from: 'confirmed', reason: 'property_differs' } }])
})
