import { extractText } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VoucherResponse } from '../../../src/voucher/schemas.ts'
import { OTHER_ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { ledgerApp } from '../../support/app/ledger-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

let app: TestApp
let token: string
let bookingId: string
const GUEST = { given_name: 'Ægir', family_name: 'Þórsson' }

async function book(outcome: string): Promise<{ booking_id: string; notices: { text: string }[] }> {
  const answer = await app.as(token, {
    method: 'POST',
    url: '/api/accommodation/book',
    headers: { 'x-simulate-return': outcome },
    payload: { price_check_uri: `any-${outcome}`, guests: [GUEST] },
  })
  return answer.json().data
}
const voucher = (id: string, accept?: string, as = token) =>
  app.as(as, {
    url: `/api/accommodation/bookings/${id}/voucher`,
    headers: accept === undefined ? {} : { accept },
  })

beforeAll(async () => {
  app = await testApp()
  token = await app.signIn()
  bookingId = (await book('success')).booking_id
})
afterAll(() => app.close())

test.each([
  ['application/json', 'application/json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['application/pdf', 'application/pdf'],
  ['APPLICATION/PDF;q=0.5, text/html;q=0.4', 'application/pdf'],
  ['text/*', 'text/html'],
  ['application/json;q=0, */*', 'text/html'],
  ['text/calendar', 'text/calendar'],
  ['*/*', 'application/json'],
  [undefined, 'application/json'],
])('accept: %s returns the voucher as %s', async (accept, media) => {
  const answer = await voucher(bookingId, accept)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toContain(media)
  expect(answer.headers.vary).toContain('accept')
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('most of many concurrent PDFs are refused with retry-after, so that they delay no other request', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => voucher(bookingId, 'application/pdf')))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect(refused.length).toBeGreaterThan(3)
  expect(refused[0]?.json()).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('vouchers') })
  expect(refused[0]?.headers['retry-after']).toBe('1')
  expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(12 - refused.length)
})

test('the three formats of a voucher have the same content', async () => {
  const { data } = (await voucher(bookingId)).json()
  expectToMatch(VoucherResponse, { data })
  expect(data).toMatchObject({ booking_id: bookingId, rooms: [{ lead_guest: 'Ægir Þórsson' }], simulated: true })
  expect(data.notices[0].text).toContain('Minimum check-in age 18')
  expect(data.clause).toContain('Payable through the simulator')
  const html = (await voucher(bookingId, 'text/html')).body
  const pdf = await voucher(bookingId, 'application/pdf')
  expect(pdf.headers['content-disposition']).toBe(`inline; filename="voucher-${data.reference}.pdf"`)
  const { text } = await extractText(new Uint8Array(pdf.rawPayload), { mergePages: true })
  const checkIn = new Date(data.check_in).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
  for (const fact of [data.vendor_reference, data.reference, 'Ægir Þórsson', checkIn, data.clause]) {
    expect(html).toContain(fact)
    expect(text.replace(/\s+/g, ' ')).toContain(fact)
  }
})

test('as a calendar entry the stay has its dates, and the UID of the entry in mails', async () => {
  const { body, headers } = await voucher(bookingId, 'text/calendar')
  const { check_in, reference } = (await voucher(bookingId)).json().data
  expect(headers['content-disposition']).toBe(`attachment; filename="booking-${reference}.ics"`)
  const lines = body.replaceAll('\r\n ', '').split('\r\n')
  expect(lines.find((line) => line.startsWith('DTSTART'))).toContain(check_in.replaceAll('-', ''))
  expect(lines, 'the domain of the sender of mails').toContain(`UID:${bookingId}@localhost`)
  expect(lines).toContain('METHOD:PUBLISH')
})

test('an HTML voucher may neither run scripts nor load resources', async () => {
  const { headers } = await voucher(bookingId, 'text/html')
  expect(headers['content-security-policy']).toMatch(/default-src 'none'/)
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('another media type is refused, and the error lists the available ones', async () => {
  const answer = await voucher(bookingId, 'image/png, text/plain;q=0.9')
  expect(answer.statusCode).toBe(406)
  expect(answer.json()).toMatchObject({ code: 'not_acceptable', detail: expect.stringContaining('application/pdf') })
})

test('a booking that is not confirmed has no voucher', async () => {
  const { booking_id } = await book('vendor_error')
  const answer = await voucher(booking_id)
  expect(answer.statusCode).toBe(409)
  expect(answer.json()).toMatchObject({
    code: 'no_voucher',
    detail: expect.stringMatching(/in_doubt.*until its outcome is known/),
  })
})

test('a voucher is returned only to the owner of the booking', async () => {
  expect((await voucher(bookingId, undefined, await app.signIn(OTHER_ACCOUNT))).statusCode).toBe(404)
  const unknown = await app.call({ url: `/api/accommodation/bookings/${bookingId}/voucher` })
  expect(unknown.statusCode).toBe(401)
})

test('a booking shows its confirmation numbers at the vendor and the property, null until known', async () => {
  const { data } = (await app.as(token, { url: `/api/accommodation/bookings/${bookingId}` })).json()
  expect(data.confirmation).toEqual({
    vendor: data.vendor_reference,
    property: null,
    rooms: [{ vendor: expect.stringMatching(/^SIM-/), property: null }],
  })
})

test.each([true, false])('the documents of a booking say if the vendors are stand-ins: %s', async (sandbox) => {
  const own = await ledgerApp({ sandbox })
  try {
    const { booking_id } = (await own.book({ ...(await own.room()).booking_info, guests: [GUEST] })).json().data
    const url = `/api/accommodation/bookings/${booking_id}/voucher`
    expect((await own.request({ url })).json().data.simulated).toBe(false)
    const { body } = await own.request({ url, headers: { accept: 'text/html' } })
    expect(body.includes('Simulated booking')).toBe(sandbox)
  } finally {
    await own.close()
  }
})
