import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A provider assigns a whole /64 to one customer. */
const NETWORK_GROUPS = 4

/** Rate-limit key: a normalised IPv4 address, or the /64 network of an IPv6 address. */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return address
  const parsed = ipaddr.process(plain)
  if (!('parts' in parsed)) return parsed.toString()
  const network = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}
