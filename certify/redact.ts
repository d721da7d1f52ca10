import { CONTACT, GUESTS, HOLDER } from './persons.ts'

/** What takes the place of what nobody else is to read: persons by who they are, secrets by their names. */
const PERSONS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(escaped(CONTACT.email), 'gi'), '[guest e-mail]'],
  [new RegExp(escaped(encodeURIComponent(CONTACT.email)), 'gi'), '[guest e-mail]'],
  [new RegExp(escaped(HOLDER.email), 'gi'), '[account e-mail]'],
  [/(?:\+?44\s?)?20\s?7946\s?0958/g, '[guest phone]'],
  [new RegExp(escaped(CONTACT.ip), 'g'), '[customer address]'],
  ...GUESTS.flatMap(({ given_name, family_name }, at) => [
    [new RegExp(given_name, 'gi'), `[guest ${at + 1} given name]`] as const,
    [new RegExp(family_name, 'gi'), `[guest ${at + 1} family name]`] as const,
  ]),
]

const SECRET_HEADERS = /^(authorization|api-?key|x-signature|cookie)$/i

export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.test(name) ? '[secret]' : value]),
  )
}

/** Removes guests' data and every secret of the settings from a text. */
export function createRedact(secrets: readonly string[]): (text: string) => string {
  const patterns = secrets.filter((secret) => secret.length >= 4).map((secret) => new RegExp(escaped(secret), 'g'))
  return (text) => {
    const open = patterns.reduce((left, pattern) => left.replace(pattern, '[secret]'), text)
    return PERSONS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), open)
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
