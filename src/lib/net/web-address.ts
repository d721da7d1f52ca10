import { isIPv6 } from 'node:net'

/** Host part of a URL; puts IPv6 addresses in brackets. */
export const formatHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** Matches the form that browsers send: scheme and host, the port unless it is the default, no path. */
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

/** Error message for the first setting that is not a valid URL, without its value. */
export function findInvalidAddress(
  settings: { readonly [Name in keyof typeof ADDRESSES]?: string },
): string | undefined {
  const wrong = Object.entries(ADDRESSES).find(([name]) => {
    // `user@/database` omits the host: PostgreSQL on a local socket.
    const value = settings[name as keyof typeof ADDRESSES]?.replace('@/', '@localhost/')
    return value !== undefined && !URL.canParse(value)
  })
  return wrong && `${wrong[0]} must be an address such as ${wrong[1]}.`
}
