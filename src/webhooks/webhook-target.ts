import ipaddr from 'ipaddr.js'
import type { FieldError } from '../domain/errors.ts'

/** Services of cloud hosts on addresses that look public. */
const HOST_SERVICES = ['168.63.129.16']
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** False for private, loopback, link-local, metadata, tunnelled and reserved addresses. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  // The library treats ::7f00:1 and similar as unicast; only this block of IPv6 is allocated.
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_IPV6)) return false
  return address.range() === 'unicast' && !HOST_SERVICES.includes(address.toString())
}

/** Address in the host of a URL; undefined for a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(bare) ? bare : undefined
}

/** Checks a target without DNS. `new URL` has already normalised 0x7f.1, 2130706433 and similar. */
export function readTarget(text: string, allowPrivate: boolean): URL | FieldError {
  // The parser would ignore line breaks and tabs.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text))
    return refusal('invalid_url', 'url must be an absolute URL such as https://example.com/hooks.')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return refusal('https_required', 'url must begin with https://.')
  }
  if (url.username !== '' || url.password !== '') {
    return refusal('credentials_in_url', 'url must not contain a user name or password. Verify the signature instead.')
  }
  const address = literalAddress(url)
  if (!allowPrivate && address !== undefined && !isPublicAddress(address)) return privateTarget()
  return url
}

export const privateTarget = (): FieldError =>
  refusal('private_address', 'url must resolve to a public address, not a private, loopback or reserved one.')

export const unresolvable = (): FieldError =>
  refusal('unresolvable', 'The host of url cannot be resolved. Check its spelling and that its DNS entry is public.')

const refusal = (code: string, message: string): FieldError => ({ field: 'url', code, message })
