import { isIPv6 } from 'node:net'

const GROUPS = 8
/** What one customer of a network provider gets: whoever has one IPv6 address there has all of them. */
const OWN_GROUPS = 4

/** What callers are counted by: an IPv4 address, or the network of an IPv6 address. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return address
  const [before = [], after = []] = plain.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, OWN_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
