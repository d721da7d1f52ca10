import { joinNotices, noticeOf } from '../../domain/notices.ts'
import type { Notice } from '../../domain/offer.ts'
import { plainLines } from '../../lib/clean-markup.ts'
import { recordOf, textOf, textsOf, type Wire } from '../wire/read.ts'

/** Remarks name fees, ages and deposits: they are shown as they are, and never read. */
const remark = (text: unknown) => noticeOf('rate_comment', 'Remarks', plainLines(textOf(text)))

/** What must be shown of the rates of an offer; `more` is what a price check tells for all of them. */
export const rateNotices = (rates: readonly Wire[], more: readonly unknown[] = []): Notice[] =>
  joinNotices(
    rates.flatMap((rate) => {
      const { hotelRemarks } = recordOf(rate.cancellationPolicies) ?? {}
      const own = typeof hotelRemarks === 'string' ? [hotelRemarks] : textsOf(hotelRemarks)
      return [rate.remarks, ...own].map(remark)
    }),
    more.map(remark),
  )

const OF_BOOKING = [
  ['mandatoryFees', 'fees', 'Mandatory fees'],
  ['optionalFees', 'fees', 'Optional fees'],
  ['knowBeforeYouGo', 'policies', 'Know before you go'],
  ['checkinInstructions', 'check_in', 'Check-in'],
] as const

/** What must be shown of a booking. Its own `remarks` are the hotel's; those of a room are the guest's wishes. */
export const bookingNotices = (booking: Wire): Notice[] =>
  joinNotices(
    [remark(booking.remarks)],
    OF_BOOKING.map(([field, kind, title]) => noticeOf(kind, title, plainLines(textOf(booking[field])))),
  )
