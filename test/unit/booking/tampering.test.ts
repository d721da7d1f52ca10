import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOffer } from '../../../src/domain/sealed-offer.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { sealJson } from '../../../src/lib/crypto/seal.ts'
import { anOffer, offerKeys, sealBookingInfo, storeKeys } from '../../support/booking/an-offer.ts'

import { ADA, BOB, type BookingParts, describeOutcome, openBookingParts } from '../../support/booking/booking-parts.ts'

type Info = Record<string, unknown>

let parts: BookingParts
beforeAll(async () => {
  parts = await openBookingParts()
})
afterAll(() => parts.close())

const OFFERS = Array.from({ length: 200 }, (_, index) =>
  sealBookingInfo(anOffer({ offerId: `off_${index}`, roomName: `Room ${index}`, ref: { key: 'x'.repeat(index) } })),
)
const [FIRST = {}] = OFFERS
const readUri = (info: Info) => String(info.price_check_uri)
const tokenAt = (uri: string) => uri.indexOf('token=') + 'token='.length

const refused = (body: unknown) => expect(describeOutcome(parts.bookStay(body)))

test('every one of the two hundred offers opens as issued', () => {
  expect(OFFERS.map((info, index) => openOffer(offerKeys, info)?.offerId === `off_${index}`)).not.toContain(false)
})

test('no offer opens with any one of its bytes changed', () => {
  let tried = 0
  for (const info of OFFERS) {
    const bytes = Buffer.from(readUri(info))
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index] = (bytes[index] ?? 0) ^ (1 << (index % 7))
      tried += 1
      if (openOffer(offerKeys, { ...info, price_check_uri: changed.toString('latin1') }) !== undefined) {
        throw new Error(`byte ${index} may be changed`)
      }
    }
  }
  expect(tried).toBeGreaterThan(100_000)
}, 60_000)

test('no offer opens with a character replaced by another of the same alphabet', () => {
  const uri = readUri(FIRST)
  for (let index = tokenAt(uri); index < uri.length; index += 1) {
    for (const other of ['A', 'B', 'w', '_']) {
      if (uri[index] === other) continue
      const changed = uri.slice(0, index) + other + uri.slice(index + 1)
      expect(openOffer(offerKeys, { ...FIRST, price_check_uri: changed })).toBeUndefined()
    }
  }
})

test('no offer opens if it is shortened, extended, doubled or spelt differently', () => {
  const uri = readUri(FIRST)
  const cut = Array.from({ length: uri.length }, (_, length) => uri.slice(0, length))
  const longer = ['A', '=', '==', '.', '.x', ' ', '\n', '\0', '&token=x', '#', '%00'].map((more) => uri + more)
  const spelt = [` ${uri}`, uri.toUpperCase(), uri.toLowerCase(), uri + uri, encodeURIComponent(uri), uri.slice(1)]
  const elsewhere = ['https://example.com', '//example.com', 'http://127.0.0.1', '\\\\host'].map((host) => host + uri)
  const opened = [...cut, ...longer, ...spelt, ...elsewhere].filter(
    (text) => openOffer(offerKeys, { ...FIRST, price_check_uri: text }) !== undefined,
  )
  expect(opened).toEqual([])
})

test('no offer opens under another kind, key or purpose', () => {
  const uri = readUri(FIRST)
  const prefix = uri.slice(0, tokenAt(uri))
  const [, , sealed = ''] = uri.slice(tokenAt(uri)).split('.')
  const withToken = (token: string) => openOffer(offerKeys, { ...FIRST, price_check_uri: prefix + token })
  for (const kind of ['per1', 'ans1', 'sof2', '', 'SOF1']) expect(withToken(`${kind}.k1.${sealed}`)).toBeUndefined()
  for (const id of ['k2', '', 'K1', '__proto__', 'k1.k1']) expect(withToken(`sof1.${id}.${sealed}`)).toBeUndefined()
  expect(withToken(sealJson(offerKeys, 'per1', anOffer()))).toBeUndefined()
  expect(withToken(sealJson(storeKeys, 'sof1', anOffer()))).toBeUndefined()
  const otherKeys = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 8) }], 'offers')
  expect(openOffer(offerKeys, sealBookingInfo(anOffer(), otherKeys))).toBeUndefined()
})

test('two keys under one id never open each other’s offers; an older key still does', () => {
  const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const before = deriveKeyring([{ id: 'a', key: older }], 'offers')
  const rotated = deriveKeyring(
    [
      { id: 'b', key: newer },
      { id: 'a', key: older },
    ],
    'offers',
  )
  const dropped = deriveKeyring([{ id: 'b', key: newer }], 'offers')
  const info = sealBookingInfo(anOffer(), before)
  expect(openOffer(rotated, info)).toEqual(anOffer())
  expect(openOffer(dropped, info)).toBeUndefined()
  expect(openOffer(before, sealBookingInfo(anOffer(), rotated))).toBeUndefined()
})

const VISIBLE: readonly (readonly [string, (info: Info) => Info])[] = [
  ['a visible field changed', (info) => ({ ...info, bed_id: '37322' })],
  ['a visible field of another type', (info) => ({ ...info, bed_id: 37321 })],
  ['a visible field removed', ({ bed_id: _, ...info }) => info],
  ['a visible field emptied', (info) => ({ ...info, bed_id: '' })],
  ['a field added', (info) => ({ ...info, price: 1 })],
  ['a price added', (info) => ({ ...info, total_price: 0.01 })],
  ['another account added', (info) => ({ ...info, account_id: 'acc_2' })],
  ['a vendor added', (info) => ({ ...info, vendor_id: 'other' })],
  ['a prototype added', (info) => JSON.parse(`{"__proto__":{"x":1},${JSON.stringify(info).slice(1)}`)],
  ['a constructor added', (info) => ({ ...info, constructor: 'x' })],
  ['the address as a list', (info) => ({ ...info, price_check_uri: [readUri(info)] })],
  ['the address as an object', (info) => ({ ...info, price_check_uri: { href: readUri(info) } })],
  ['no address', ({ price_check_uri: _, ...info }) => info],
  ['nothing at all', () => ({})],
  ['the bed of one offer and the address of another', () => ({ ...OFFERS[1], bed_id: '1' })],
]

test.each(VISIBLE)('an offer with %s is refused', async (_, change) => {
  await refused(change(FIRST)).resolves.toBe('offer_invalid')
})

test('an account cannot book the offer of another account', async () => {
  expect(await describeOutcome(parts.bookStay(FIRST, undefined, BOB))).toBe('offer_invalid')
  const forged = { ...sealBookingInfo(anOffer({ accountId: BOB.id })) }
  expect(await describeOutcome(parts.bookStay(forged, undefined, ADA))).toBe('offer_invalid')
})

/** Addresses a server must never call, in spellings that have bypassed filters. */
const ADDRESSES = [
  'http://127.0.0.1/',
  'http://127.0.0.1:22/',
  'http://127.1/',
  'http://0/',
  'http://0.0.0.0:8080/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.000.000.1/',
  'http://localhost/',
  'http://LOCALHOST:6379/',
  'http://localhost.localdomain/',
  'http://localhost./',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fe80::1%25eth0]/',
  'http://[fd00::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.169.254.nip.io/',
  'http://2852039166/',
  'http://0xA9FEA9FE/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fd00:ec2::254]/latest/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://100.100.100.200/latest/',
  'http://192.168.0.1/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://127.0.0.1.nip.io/',
  'http://localtest.me/',
  'http://spoofed.burpcollaborator.net/',
  'http://example.com@127.0.0.1/',
  'http://127.0.0.1@example.com/',
  'http://example.com#@127.0.0.1/',
  'http://127.0.0.1#.example.com/',
  'http://127.0.0.1%2f@example.com/',
  'http://127.0.0.1%00.example.com/',
  'http://127。0。0。1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  'http:\\\\127.0.0.1\\',
  'http:/127.0.0.1/',
  '//127.0.0.1/',
  '\\\\127.0.0.1\\share',
  'https://127.0.0.1:443/\r\nHost: example.com',
  'http://127.0.0.1:80\u0000/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'dict://127.0.0.1:11211/stat',
  'ftp://127.0.0.1/',
  'jar:http://127.0.0.1!/',
  'data:text/plain,x',
  'javascript:fetch("http://127.0.0.1")',
  'unix:///var/run/docker.sock',
] as const

/** Appends the token of a valid offer, so that only the address can be the reason. */
const PLACES: Record<string, (address: string) => Info> = {
  'the address of the price check': (address) => ({ ...FIRST, price_check_uri: address }),
  'the address of the price check, with a true token': (address) => {
    const token = readUri(FIRST).slice(tokenAt(readUri(FIRST)))
    return { ...FIRST, price_check_uri: `${address}?token=${token}` }
  },
  'before the address of the price check': (address) => ({ ...FIRST, price_check_uri: address + readUri(FIRST) }),
  'a visible field': (address) => ({ ...FIRST, bed_id: address }),
  'a field of its own': (address) => ({ ...FIRST, callback_url: address }),
  'a nested field': (address) => ({ ...FIRST, links: { book: { href: address } } }),
}

test.each(Object.keys(PLACES))('an address in %s is never followed', async (place) => {
  expect(ADDRESSES.length).toBeGreaterThanOrEqual(60)
  for (const address of ADDRESSES) {
    const body = PLACES[place]?.(address)
    expect([address, await describeOutcome(parts.bookStay(body))]).toEqual([address, 'offer_invalid'])
  }
})

test('an address in free text is booked as text or refused, and never followed', async () => {
  const quiet = await openBookingParts()
  const texts = ['special_requests', 'client_reference']
  const refusals = new Set<string>()
  for (const [index, address] of ADDRESSES.entries()) {
    for (const field of texts) {
      const info = sealBookingInfo(anOffer({ offerId: `off_${field}_${index}` }))
      refusals.add(await describeOutcome(quiet.bookStay({ ...info, [field]: address })))
    }
    const guests = [{ given_name: 'A', family_name: 'B', email: address, phone: address }]
    refusals.add(await describeOutcome(quiet.bookStay({ ...FIRST, guests, contact: { email: address } })))
  }
  expect([...refusals].sort()).toEqual(['201', 'invalid_request'])
  expect(new Set(quiet.calls)).toEqual(new Set(['priceCheck', 'book']))
  await quiet.close()
})

test('the vendor was never called with a tampered offer', () => {
  expect(parts.calls).toEqual([])
})
