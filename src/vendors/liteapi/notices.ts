import type { Notice } from '../../domain/offer.ts'
import { joinNotices, noticeOf } from '../../domain/property/notices.ts'
import { plainLines, plainText } from '../../lib/text/clean-markup.ts'
import { recordOf, recordsOf, textOf, textsOf, type Wire } from '../wire/read.ts'

/** Remarks name fees, ages and deposits: they are shown as they are, and never read. */
const remark = (text: unknown) => noticeOf('rate_comment', 'Remarks', plainLines(textOf(text)))

/** What must be shown of the rates of an offer; `more` is what a price check tells for all of them. */
export const rateNotices = (rates: readonly Wire[], more: readonly unknown[] = []): Notice[] =>
  joinNotices(
    rates.flatMap((rate) => [rate.remarks, ...remarksIn(recordOf(rate.cancellationPolicies))].map(remark)),
    more.map(remark),
  )

/** One text or several: documents and answers have both. */
const textsIn = (value: unknown): string[] => (typeof value === 'string' ? [value] : textsOf(value))

const remarksIn = (wire: Wire | undefined): string[] => textsIn(wire?.hotelRemarks)

const linesOf = (...texts: readonly unknown[]): string =>
  texts
    .map((text) => plainLines(textOf(text)))
    .filter((text) => text !== '')
    .join('\n')

/** What must be shown with every room of a property, from its long form. */
export function propertyNotices(property: Wire): Notice[] {
  const times = recordOf(property.checkinCheckoutTimes)
  return joinNotices([
    noticeOf('check_in', 'Check-in instructions', linesOf(...textsIn(times?.instructions))),
    noticeOf('check_in', 'Special check-in instructions', linesOf(times?.special_instructions)),
    noticeOf('policies', 'Important information', linesOf(property.hotelImportantInformation)),
    noticeOf('policies', 'Policies', recordsOf(property.policies).flatMap(policyText).join('\n')),
  ])
}

function policyText({ name, description, child_allowed, pets_allowed, parking }: Wire): string[] {
  const text = linesOf(description, child_allowed, pets_allowed, parking)
  const title = plainText(textOf(name))
  return text === '' ? [] : [title === '' ? text : `${title}: ${text}`]
}

const OF_BOOKING = [
  ['mandatoryFees', 'fees', 'Mandatory fees'],
  ['optionalFees', 'fees', 'Optional fees'],
  ['knowBeforeYouGo', 'policies', 'Know before you go'],
] as const

/** The documents have an object; a text is accepted too. */
function checkInText(value: unknown): string {
  const told = recordOf(value)
  if (told === undefined) return linesOf(value)
  const contact = recordOf(told.propertyContact)
  const ways = [contact?.phone, contact?.email].map(textOf).filter((way) => way !== '')
  return linesOf(
    told.instructions,
    told.idRequired === true ? 'Identification is required at check-in.' : '',
    told.hasCommunication === true ? 'The property wants to be contacted before arrival.' : '',
    told.arrivalTimeRequested === true ? 'The property asks for the time of arrival.' : '',
    ways.length > 0 ? `Contact: ${ways.join(', ')}` : '',
  )
}

/** What must be shown of a booking. Its own `remarks` are the hotel's; those of a room are the guest's wishes. */
export const bookingNotices = (booking: Wire): Notice[] =>
  joinNotices(
    [booking.remarks, ...remarksIn(booking), ...remarksIn(recordOf(booking.cancellationPolicies))].map(remark),
    OF_BOOKING.map(([field, kind, title]) => noticeOf(kind, title, linesOf(booking[field]))),
    [noticeOf('check_in', 'Check-in', checkInText(booking.checkinInstructions))],
  )
