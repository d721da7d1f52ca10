import { isIPv6 } from 'node:net'

/** The host part of a URL; IPv6 addresses are put in brackets. */
export const inAddress = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** As browsers send it: scheme, host and port, with neither path nor the usual port. Anything else never equals one. */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/*]+$/.test(text) || !URL.canParse(text)) return false
  return !/^https?:/.test(text) || new URL(text).origin === text
}

const IN_PASSWORDS = 'with # / ? in the password as %23 %2F %3F'
const ADDRESSES = {
  SERAI_PUBLIC_URL: 'https://stays.example.com',
  SERAI_MAP_STYLE_URL: 'https://maps.example.com/style.json',
  DATABASE_URL: `postgres://user:password@host:5432/database, ${IN_PASSWORDS}`,
  REDIS_URL: `redis://:password@host:6379, ${IN_PASSWORDS}`,
} as const

/** What is wrong with the first setting that is no address, without repeating it; undefined where all of them are. */
export function wrongAddress(settings: { readonly [Name in keyof typeof ADDRESSES]?: string }): string | undefined {
  const wrong = Object.entries(ADDRESSES).find(([name]) => {
    // `user@/database` leaves the host out: PostgreSQL at a socket of this machine.
    const value = settings[name as keyof typeof ADDRESSES]?.replace('@/', '@localhost/')
    return value !== undefined && !URL.canParse(value)
  })
  return wrong && `${wrong[0]} must be an address such as ${wrong[1]}.`
}
