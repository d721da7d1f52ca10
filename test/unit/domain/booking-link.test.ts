import { describe, expect, test } from 'vitest'
import { linkExpiry, openLink, signLink } from '../../../src/domain/booking/booking-link.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'

const secret = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) })
const keyring = deriveKeyring([secret('k1', 1)], 'booking-links')
const NOW = Date.parse('2027-01-15T12:00:00Z')
const LINK = { bookingId: 'bkg_0123456789abcdefghjk', version: 2, expiresAt: NOW + 1_000 }
const token = signLink(keyring, LINK)

describe('the token of a link to a booking', () => {
  test('holds the booking, the version and the expiry, and is the same every time', () => {
    expect(openLink(keyring, token, NOW)).toEqual(LINK)
    expect(signLink(keyring, LINK)).toBe(token)
  })

  test('is refused from the moment it expires', () => {
    expect(openLink(keyring, token, LINK.expiresAt - 1)).toEqual(LINK)
    expect(openLink(keyring, token, LINK.expiresAt)).toBe(undefined)
  })

  test('is refused after a change of any character', () => {
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'a' ? 'b' : 'a'
      const changed = token.slice(0, index) + other + token.slice(index + 1)
      // The last character of base64url has spare bits.
      if (index < token.length - 1) expect(openLink(keyring, changed, NOW), changed).toBe(undefined)
    }
    for (const text of ['', `${token}x`, token.slice(0, -1), ` ${token}`])
      expect(openLink(keyring, text, NOW)).toBe(undefined)
  })

  test('is refused with a key of another purpose, and works with an older secret', () => {
    expect(openLink(deriveKeyring([secret('k1', 1)], 'offers'), token, NOW)).toBe(undefined)
    expect(openLink(deriveKeyring([secret('k2', 2)], 'booking-links'), token, NOW)).toBe(undefined)
    const rotated = deriveKeyring([secret('k2', 2), secret('k1', 1)], 'booking-links')
    expect(openLink(rotated, token, NOW)).toEqual(LINK)
  })

  test('is valid until the end of the 30th day after check-out', () => {
    const stay = { checkIn: '2027-02-01', checkOut: '2027-02-03' }
    expect(new Date(linkExpiry({ stay } as Parameters<typeof linkExpiry>[0])).toISOString()).toBe(
      '2027-03-06T00:00:00.000Z',
    )
  })
})
