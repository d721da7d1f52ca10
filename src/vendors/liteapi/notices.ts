import type { Notice } from '../../domain/offer.ts'
import { joinNotices, noticeOf } from '../../domain/property/notices.ts'
import { plainLines, plainText } from '../../lib/text/clean-markup.ts'
import { recordOf, recordsOf, textOf, textsOf, type Wire } from '../wire/read.ts'

/** Remarks contain fees, ages and deposits: they are shown as sent, and never parsed. */
const remarkNotice = (text: unknown) => noticeOf('rate_comment', 'Remarks', plainLines(textOf(text)))

/** Notices of the rates of an offer; `extraRemarks` come from the price check. */
export const rateNotices = (rates: readonly Wire[], extraRemarks: readonly unknown[] = []): Notice[] =>
  joinNotices(
    rates.flatMap((rate) => [rate.remarks, ...readRemarks(recordOf(rate.cancellationPolicies))].map(remarkNotice)),
    extraRemarks.map(remarkNotice),
  )

/** A string or a list: documentation and responses have both. */
const readTexts = (value: unknown): string[] => (typeof value === 'string' ? [value] : textsOf(value))

const readRemarks = (wire: Wire | undefined): string[] => readTexts(wire?.hotelRemarks)

const joinLines = (...texts: readonly unknown[]): string =>
  texts
    .map((text) => plainLines(textOf(text)))
    .filter((text) => text !== '')
    .join('\n')

/** Notices for every room of a property, from its detail. */
export function propertyNotices(property: Wire): Notice[] {
  const times = recordOf(property.checkinCheckoutTimes)
  return joinNotices([
    noticeOf('check_in', 'Check-in instructions', joinLines(...readTexts(times?.instructions))),
    noticeOf('check_in', 'Special check-in instructions', joinLines(times?.special_instructions)),
    noticeOf('policies', 'Important information', joinLines(property.hotelImportantInformation)),
    noticeOf('policies', 'Policies', recordsOf(property.policies).flatMap(policyText).join('\n')),
  ])
}

function policyText({ name, description, child_allowed, pets_allowed, parking }: Wire): string[] {
  const text = joinLines(description, child_allowed, pets_allowed, parking)
  const title = plainText(textOf(name))
  return text === '' ? [] : [title === '' ? text : `${title}: ${text}`]
}

const BOOKING_FIELDS = [
  ['mandatoryFees', 'fees', 'Mandatory fees'],
  ['optionalFees', 'fees', 'Optional fees'],
  ['knowBeforeYouGo', 'policies', 'Know before you go'],
] as const

/** An object according to the documentation; text is accepted too. */
function checkInText(value: unknown): string {
  const instructions = recordOf(value)
  if (instructions === undefined) return joinLines(value)
  const contact = recordOf(instructions.propertyContact)
  const contacts = [contact?.phone, contact?.email].map(textOf).filter((contact) => contact !== '')
  return joinLines(
    instructions.instructions,
    instructions.idRequired === true ? 'Identification is required at check-in.' : '',
    instructions.hasCommunication === true ? 'Contact the property before arrival.' : '',
    instructions.arrivalTimeRequested === true ? 'The property asks for your time of arrival.' : '',
    contacts.length > 0 ? `Contact: ${contacts.join(', ')}` : '',
  )
}

/** A booking's own `remarks` are the hotel's; those of a room are the guest's special requests. */
export const bookingNotices = (booking: Wire): Notice[] =>
  joinNotices(
    [booking.remarks, ...readRemarks(booking), ...readRemarks(recordOf(booking.cancellationPolicies))].map(
      remarkNotice,
    ),
    BOOKING_FIELDS.map(([field, kind, title]) => noticeOf(kind, title, joinLines(booking[field]))),
    [noticeOf('check_in', 'Check-in', checkInText(booking.checkinInstructions))],
  )
