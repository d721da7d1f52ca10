import { isIP } from 'node:net'

/** Number of trusted proxy hops, or the trusted networks; false trusts none. */
export type TrustProxy = false | number | readonly string[]

const HOPS_MAX = 10

/** Parses `1` or `10.0.0.0/8,fd00::/8`. Undefined for anything else and for values that would trust every address. */
export function readTrustProxy(text = 'false'): TrustProxy | undefined {
  if (text === 'false' || text === '0') return false
  if (/^\d+$/.test(text)) return Number(text) <= HOPS_MAX ? Number(text) : undefined
  const networks = text.split(',').map((network) => network.trim())
  return networks.every(isNetwork) ? networks : undefined
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  if (isIP(address) === 0 || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits)
}
