import { CONTACT, GUESTS, HOLDER } from './persons.ts'

/** Replacements of confidential data: persons by their role, secrets by their names. */
const PERSONS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(escapePattern(CONTACT.email), 'gi'), '[guest e-mail]'],
  [new RegExp(escapePattern(encodeURIComponent(CONTACT.email)), 'gi'), '[guest e-mail]'],
  [new RegExp(escapePattern(HOLDER.email), 'gi'), '[account e-mail]'],
  [/(?:\+?44\s?)?20\s?7946\s?0958/g, '[guest phone]'],
  [new RegExp(escapePattern(CONTACT.ip), 'g'), '[customer address]'],
  ...GUESTS.flatMap(({ given_name, family_name }, index) => [
    [new RegExp(given_name, 'gi'), `[guest ${index + 1} given name]`] as const,
    [new RegExp(family_name, 'gi'), `[guest ${index + 1} family name]`] as const,
  ]),
]

const SECRET_HEADERS = /^(authorization|api-?key|x-signature|cookie)$/i

export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.test(name) ? '[secret]' : value]),
  )
}

/** Removes guest data and every configured secret from a text. */
export function createRedact(secrets: readonly string[]): (text: string) => string {
  const patterns = secrets
    .filter((secret) => secret.length >= 4)
    .map((secret) => new RegExp(escapePattern(secret), 'g'))
  return (text) => {
    const withoutSecrets = patterns.reduce((redacted, pattern) => redacted.replace(pattern, '[secret]'), text)
    return PERSONS.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), withoutSecrets)
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
