import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'

let app: LedgerApp
beforeAll(async () => {
  app = await ledgerApp()
})
afterAll(() => app.close())

type Info = Readonly<Record<string, string>>
const PREFIX = '/api/accommodation/price_check?token='

/** Expects offer_invalid for every body and no request to a vendor. */
async function expectAllRefused(bodies: readonly object[], token = app.token): Promise<void> {
  const calls = await app.calls()
  const outcomes = new Map<string, object>()
  for (const body of bodies) {
    const answer = await app.book(body as Info, {}, token)
    outcomes.set(`${answer.statusCode} ${answer.json().code}`, body)
  }
  expect([...outcomes.keys()]).toEqual(['422 offer_invalid'])
  expect(await app.calls()).toBe(calls)
}

const replaceAt = (text: string, index: number, replacement: string) =>
  text.slice(0, index) + replacement + text.slice(index + 1)
const token = (info: Info) => info.price_check_uri?.slice(PREFIX.length) ?? ''
const withToken = (info: Info, changed: string): Info => ({ ...info, price_check_uri: PREFIX + changed })

describe('tampered offers', () => {
  test('an offer with any changed byte of the sealed part is invalid', async () => {
    const bodies: Info[] = []
    for (const vendorId of STAND_IN_IDS) {
      const { booking_info: info } = await app.room(vendorId)
      const uri = info.price_check_uri ?? ''
      for (let index = 0; index < uri.length; index += index < 60 || index > uri.length - 40 ? 1 : 9) {
        const replacement = uri[index] === 'A' ? 'B' : 'A'
        bodies.push({ ...info, price_check_uri: replaceAt(uri, index, replacement) })
      }
    }
    expect(bodies.length).toBeGreaterThan(300)
    await expectAllRefused(bodies)
  })

  test('an offer with a visible field changed, added or removed is invalid', async () => {
    const { booking_info: info } = await app.room('expedia_rapid')
    const { price_check_uri = '', ...visible } = info
    expect(Object.keys(visible).length).toBeGreaterThan(0)
    await expectAllRefused([
      { price_check_uri },
      { ...visible },
      { ...info, extra: '1' },
      { ...info, account_id: 'acc_1' },
      { ...info, vendor_id: 'hotelbeds' },
      ...Object.entries(visible).flatMap(([name, value]) => [
        { ...info, [name]: `${value}0` },
        { ...info, [name]: Number(value) },
        { ...info, [name]: [value] },
        { ...info, [name]: { value } },
        { ...info, [name]: null },
        { ...info, [name]: '' },
      ]),
    ])
  })

  test('a token that is truncated, doubled, encoded differently or of another kind or key is invalid', async () => {
    const { booking_info: info } = await app.room()
    const whole = token(info)
    const [kind = '', keyId = '', sealed = ''] = whole.split('.')
    const variants = [
      whole.slice(0, -1),
      whole.slice(0, 60),
      `${whole}A`,
      `${whole}=`,
      ` ${whole}`,
      `${whole}\n`,
      `${whole}.${sealed}`,
      `${kind}..${sealed}`,
      `${kind}.${keyId}.`,
      `ans1.${keyId}.${sealed}`,
      `${kind}.k9.${sealed}`,
      `${kind}.__proto__.${sealed}`,
      `${kind}.${keyId}.${sealed.replaceAll('-', '+').replaceAll('_', '/')}+`,
      encodeURIComponent(`${whole}%`),
      whole.toUpperCase(),
    ]
    await expectAllRefused([
      ...variants.map((variant) => withToken(info, variant)),
      { ...info, price_check_uri: whole },
      { ...info, price_check_uri: `https://serai.example${PREFIX}${whole}` },
      { ...info, price_check_uri: [info.price_check_uri] },
    ])
  })

  test('parts of two offers combined are invalid, from the same vendor or from two', async () => {
    const [a, b, c] = [await app.room('expedia_rapid'), await app.room('expedia_rapid'), await app.room('hotelbeds')]
    const mixed = (from: Info, seal: Info) => ({ ...from, price_check_uri: seal.price_check_uri })
    const other = { ...b.booking_info, bed_id: `${b.booking_info.bed_id}9` }
    await expectAllRefused([
      mixed(a.booking_info, c.booking_info),
      mixed(c.booking_info, a.booking_info),
      mixed(other, a.booking_info),
      withToken(a.booking_info, spliced(token(a.booking_info), token(b.booking_info))),
    ])
  })

  test('an offer issued to another account is invalid', async () => {
    const bodies = [(await app.room('expedia_rapid')).booking_info, (await app.room('hotelbeds')).booking_info]
    await expectAllRefused(bodies, app.otherToken)
    const [mine] = bodies
    expect((await app.book(mine ?? {})).statusCode).toBe(201)
  })

  test('URLs in any string of the sealed part make the offer invalid', async () => {
    const { booking_info: info } = await app.room('expedia_rapid')
    await expectAllRefused(
      ADDRESSES.flatMap((address) => [
        { price_check_uri: address },
        { ...info, price_check_uri: address },
        { ...info, price_check_uri: `${address}${info.price_check_uri}` },
        { ...info, bed_id: address },
        { ...info, href: address },
        { ...info, links: { book: { method: 'POST', href: address } } },
      ]),
    )
  })
})

test('a URL in a free text is never requested', async () => {
  let visits = 0
  const trap = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  await new Promise<void>((done) => trap.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(trap.address() as { port: number }).port}/x`
  const { booking_info: info } = await app.room()
  const answer = await app.book({
    ...info,
    guests: [{ given_name: address, family_name: address, email: 'a@example.com' }],
    special_requests: `see ${address} and ${ADDRESSES.join(' ').slice(0, 700)}`,
    client_reference: address,
  })
  expect(answer.statusCode).toBe(201)
  await app.book({ price_check_uri: address, callback: address })
  await app.request({
    url: `/api/locations/search?starts_with=${encodeURIComponent(address)}`,
    headers: { host: address },
  })
  await new Promise((done) => setTimeout(done, 200))
  trap.close()
  expect(visits).toBe(0)
})

const spliced = (a: string, b: string) => a.slice(0, a.length >> 1) + b.slice(a.length >> 1)

/** Targets of request forgery: metadata services, loopback in every notation, other schemes. */
const ADDRESSES = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://100.100.100.200/latest/meta-data/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.0.1:22/',
  'http://localhost/',
  'http://localhost.localdomain/',
  'http://0.0.0.0/',
  'http://0/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1.nip.io/',
  'http://spoofed.burpcollaborator.net/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://192.168.0.1:8080/',
  'http://[fc00::1]/',
  'http://[fe80::1%25eth0]/',
  'http://user:pass@127.0.0.1/',
  'http://example.com@127.0.0.1/',
  'http://127.0.0.1#@example.com/',
  'http://127.0.0.1?@example.com/',
  'http://example.com\\@127.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http:127.0.0.1',
  '//127.0.0.1/',
  '///127.0.0.1/',
  '\\\\127.0.0.1\\share',
  '/\\127.0.0.1/',
  'https://127.0.0.1/',
  'HTTP://LOCALHOST/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  'http://127。0。0。1/',
  'http://127.0.0.1%00.example.com/',
  'http://127.0.0.1%0d%0aHost:%20evil.example/',
  'http://127.0.0.1\r\nX-Evil: 1/',
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'dict://127.0.0.1:11211/stats',
  'ftp://127.0.0.1/',
  'ldap://127.0.0.1/',
  'data:text/html,<script>alert(1)</script>',
  'javascript:alert(1)',
  'jar:http://127.0.0.1!/',
  'unix:///var/run/docker.sock',
  '../../../../etc/passwd',
  '/api/accommodation/price_check?token=http://127.0.0.1/',
  '/api/accommodation/price_check/../../../v3/itineraries',
  'http://evil.example/api/accommodation/price_check?token=sof1.k1.AAAA',
]
