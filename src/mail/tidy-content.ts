import type { MailContent } from '../domain/mail.ts'

/** Characters that turn the direction of what follows, or are not to be seen at all; those that scripts need stay. */
export const visible = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]|(?!\n)\p{Cc}/gu, '')

export function inLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = visible(text.replace(/\s+/g, ' ')).trim()
  return line.length > most ? `${Array.from(line).slice(0, most).join('')}…` : line
}

/** Names with each in one line: a guest who writes several must not be able to add rows to a mail. */
export function tidyContent({ booking, ...content }: MailContent): MailContent {
  const { property, room, persons } = booking
  const guests = persons.guests.map((guest) => ({
    ...guest,
    givenName: inLine(guest.givenName),
    familyName: inLine(guest.familyName),
  }))
  return {
    ...content,
    booking: {
      ...booking,
      property: {
        ...property,
        name: inLine(property.name),
        address: inLine(property.address),
        phone: inLine(property.phone),
      },
      room: { ...room, name: inLine(room.name) },
      persons: { ...persons, guests, specialRequests: visible(persons.specialRequests) },
    },
  }
}
