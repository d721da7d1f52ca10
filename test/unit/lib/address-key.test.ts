import { expect, test } from 'vitest'
import { addressKey } from '../../../src/lib/net/address-key.ts'

test('an IPv4 address has one key in every notation', () => {
  const written = ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:ffff:c000:0207', '::FFFF:C000:207']
  expect(written.map(addressKey)).toEqual(written.map(() => '192.0.2.7'))
})

test('IPv6 addresses of one network have one key', () => {
  expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(addressKey('2001:0db8:0001:0002::1')).toBe('2001:db8:1:2::/64')
  expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(addressKey('::1')).toBe('0:0:0:0::/64')
})

test('text that is not an address is unchanged', () => {
  expect(['', 'unknown', '/run/serai.sock'].map(addressKey)).toEqual(['', 'unknown', '/run/serai.sock'])
})
