import { isIPv6 } from 'node:net'

/** A host as it stands in an address: IPv6 in brackets. */
export const inAddress = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** As browsers send it: scheme, host and port, with neither path nor the usual port. Anything else never equals one. */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/*]+$/.test(text) || !URL.canParse(text)) return false
  return !/^https?:/.test(text) || new URL(text).origin === text
}
