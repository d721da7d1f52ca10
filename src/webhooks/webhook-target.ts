import ipaddr from 'ipaddr.js'
import type { FieldError } from '../domain/errors.ts'

/** Answers of cloud hosts that look public but belong to the machine itself. */
const HOST_SERVICES = ['168.63.129.16']
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** False for every address that may lie inside: private, loopback, link-local, metadata, tunnelled, reserved. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  // The library calls ::7f00:1 and its like ordinary; only this block of IPv6 has ever been given out.
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_IPV6)) return false
  return address.range() === 'unicast' && !HOST_SERVICES.includes(address.toString())
}

/** The address in a URL's host, where it is one; names have yet to be resolved. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(bare) ? bare : undefined
}

/** What can be said of a target without asking anybody. `new URL` has already undone 0x7f.1, 2130706433 and the like. */
export function readTarget(text: string, allowPrivate: boolean): URL | FieldError {
  if (!URL.canParse(text))
    return refusal('invalid_url', 'url must be an absolute address such as https://example.com/hooks.')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return refusal('https_required', 'url must begin with https://.')
  }
  if (url.username !== '' || url.password !== '') {
    return refusal('credentials_in_url', 'url must not hold a user name or password; check the signature instead.')
  }
  const address = literalAddress(url)
  if (!allowPrivate && address !== undefined && !isPublicAddress(address)) return privateTarget()
  return url
}

export const privateTarget = (): FieldError =>
  refusal('private_address', 'url must lead to a public address; private, loopback and reserved ones are refused.')

export const unresolvable = (): FieldError =>
  refusal('unresolvable', 'The host of url cannot be found; check its spelling and that its DNS entry is public.')

const refusal = (code: string, message: string): FieldError => ({ field: 'url', code, message })
