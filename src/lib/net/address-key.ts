import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What one customer of a network provider gets: whoever has one IPv6 address there has all of them. */
const OWN_GROUPS = 4

/** What callers are counted by: an IPv4 address, however it is written, or the network of an IPv6 address. */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return address
  const read = ipaddr.process(plain)
  if (!('parts' in read)) return read.toString()
  const network = read.parts.slice(0, OWN_GROUPS).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}
