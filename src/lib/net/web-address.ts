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
  DATABASE_READ_URL: `postgres://user:password@host:5432/database, ${IN_PASSWORDS}`,
  REDIS_URL: `redis://:password@host:6379, redis-sentinel://:password@host,host/name or redis-cluster://:password@host,host, ${IN_PASSWORDS}`,
} as const

/** Error message for the first setting that is not a valid URL, without its value. */
export function findInvalidAddress(
  settings: { readonly [Name in keyof typeof ADDRESSES]?: string },
): string | undefined {
  const wrong = Object.entries(ADDRESSES).find(([name]) => {
    // `user@/database` omits the host: PostgreSQL on a local socket.
    const value = settings[name as keyof typeof ADDRESSES]?.replace('@/', '@localhost/')
    return value !== undefined && !(splitHosts(value).every((url) => URL.canParse(url)) && isRedisForm(value))
  })
  if (wrong !== undefined) return `${wrong[0]} must be an address such as ${wrong[1]}.`
  const { DATABASE_READ_URL: readUrl } = settings
  if (readUrl !== undefined && settings.DATABASE_URL === undefined)
    return 'DATABASE_READ_URL needs DATABASE_URL, which names the primary.'
  if (readUrl !== undefined && splitHosts(readUrl).length > 1)
    return 'DATABASE_READ_URL must name one host. Put a proxy before several standbys.'
  const [, sessions = 'read-write'] = /[?&]target_session_attrs=([^&]*)/.exec(settings.DATABASE_URL ?? '') ?? []
  if (['read-write', 'primary'].includes(sessions)) return undefined
  return 'DATABASE_URL must have target_session_attrs=read-write, or none: the service writes.'
}

/** Several hosts need Sentinel or a cluster, and Sentinel the name of the primary. */
const isRedisForm = (url: string): boolean =>
  !/^(redis|valkey)/.test(url) ||
  /^\w+-cluster:/.test(url) ||
  (/^\w+-sentinel:/.test(url) ? new URL(splitHosts(url)[0] ?? '').pathname.length > 1 : splitHosts(url).length === 1)

/** Splits an address with several hosts, such as `postgres://a,b:5433/db`, into one for each host. */
export function splitHosts(url: string): string[] {
  const [, start, hosts, rest = ''] =
    /^([a-z\d+.-]+:\/\/(?:[^@/]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/.exec(url) ?? []
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${start}${host}${rest}`)
}
