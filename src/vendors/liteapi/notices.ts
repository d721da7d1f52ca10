import type { Notice } from '../../domain/offer.ts'
import { createNotice, joinNotices, MANDATORY_FEES } from '../../domain/property/notices.ts'
import { plainLines, plainText } from '../../lib/text/clean-markup.ts'
import { mealNotice } from '../wire/meals.ts'
import { asRecord, asRecords, asText, asTexts, type Wire } from '../wire/read.ts'
import { readBoard, readBoardName } from './board.ts'

/** Remarks contain fees, ages and deposits: they are shown as sent, and never parsed. */
const remarkNotice = (text: unknown) => createNotice('rate_comment', 'Remarks', plainLines(asText(text)))

/** Notices of the rates of an offer; `extraRemarks` come from the price check. */
export const rateNotices = (rates: readonly Wire[], extraRemarks: readonly unknown[] = []): Notice[] =>
  joinNotices(
    rates.map((rate) => mealNotice(readBoard(rate), [readBoardName(rate)])),
    rates.flatMap((rate) => [rate.remarks, ...readRemarks(asRecord(rate.cancellationPolicies))].map(remarkNotice)),
    extraRemarks.map(remarkNotice),
  )

/** A string or a list: documentation and responses have both. */
const readTexts = (value: unknown): string[] => (typeof value === 'string' ? [value] : asTexts(value))

const readRemarks = (wire: Wire | undefined): string[] => readTexts(wire?.hotelRemarks)

const joinLines = (...texts: readonly unknown[]): string =>
  texts
    .map((text) => plainLines(asText(text)))
    .filter((text) => text !== '')
    .join('\n')

/** Notices for every room of a property, from its detail. */
export function propertyNotices(property: Wire): Notice[] {
  const times = asRecord(property.checkinCheckoutTimes)
  return joinNotices([
    createNotice('check_in', 'Check-in instructions', joinLines(...readTexts(times?.instructions))),
    createNotice('check_in', 'Special check-in instructions', joinLines(times?.special_instructions)),
    createNotice('policies', 'Important information', joinLines(property.hotelImportantInformation)),
    createNotice('policies', 'Policies', asRecords(property.policies).flatMap(policyText).join('\n')),
  ])
}

function policyText({ name, description, child_allowed, pets_allowed, parking }: Wire): string[] {
  const text = joinLines(description, child_allowed, pets_allowed, parking)
  const title = plainText(asText(name))
  return text === '' ? [] : [title === '' ? text : `${title}: ${text}`]
}

const BOOKING_FIELDS = [
  ['mandatoryFees', 'fees', MANDATORY_FEES],
  ['optionalFees', 'fees', 'Optional fees'],
  ['knowBeforeYouGo', 'policies', 'Know before you go'],
] as const

/** An object according to the documentation; text is accepted too. */
function checkInText(value: unknown): string {
  const instructions = asRecord(value)
  if (instructions === undefined) return joinLines(value)
  const contact = asRecord(instructions.propertyContact)
  const contacts = [contact?.phone, contact?.email].map(asText).filter((contact) => contact !== '')
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
    [
      booking.remarks,
      booking.specialRemarks,
      ...readRemarks(booking),
      ...readRemarks(asRecord(booking.cancellationPolicies)),
    ].map(remarkNotice),
    BOOKING_FIELDS.map(([field, kind, title]) => createNotice(kind, title, joinLines(booking[field]))),
    [createNotice('check_in', 'Check-in', checkInText(booking.checkinInstructions))],
  )
