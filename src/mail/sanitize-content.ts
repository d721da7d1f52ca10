import type { MailContent } from '../domain/mail.ts'

/** Removes control and direction characters; keeps joiners that scripts need. */
export const removeHidden = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]|(?!\n)\p{Cc}/gu, '')

export function toSingleLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const line = removeHidden(text.replace(/\s+/g, ' ')).trim()
  return line.length > max ? `${Array.from(line).slice(0, max).join('')}…` : line
}

/** Reduces names to one line, so that a guest cannot add rows to a mail. */
export function tidyContent({ booking, ...content }: MailContent): MailContent {
  const { property, room, persons } = booking
  const guests = persons.guests.map((guest) => ({
    ...guest,
    givenName: toSingleLine(guest.givenName),
    familyName: toSingleLine(guest.familyName),
  }))
  return {
    ...content,
    booking: {
      ...booking,
      property: {
        ...property,
        name: toSingleLine(property.name),
        address: toSingleLine(property.address),
        phone: toSingleLine(property.phone),
      },
      room: { ...room, name: toSingleLine(room.name) },
      persons: { ...persons, guests, specialRequests: removeHidden(persons.specialRequests) },
    },
  }
}
