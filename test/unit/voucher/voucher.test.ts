import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import type { Booking } from '../../../src/domain/booking/booking.ts'
import type { Notice } from '../../../src/domain/offer.ts'
import { documentHtml } from '../../../src/voucher/document-html.ts'
import { documentPdf } from '../../../src/voucher/document-pdf.ts'
import { presentVoucher } from '../../../src/voucher/present.ts'
import { createVoucher } from '../../../src/voucher/voucher.ts'
import { voucherDocument } from '../../../src/voucher/voucher-document.ts'
import { aBooking, aPrice, euro } from '../../support/booking/an-offer.ts'

const notice = (kind: Notice['kind'], text: string, requiredAt: Notice['requiredAt'] = ['voucher']): Notice => ({
  kind,
  title: `Title of ${kind}`,
  text,
  requiredAt,
})
const CLAUSE = 'Payable through Beds S.L., acting as agent. VAT: ES00 Reference: 1-123'

const confirmed = (names: readonly string[], more: Partial<Booking> = {}) =>
  aBooking({
    state: 'confirmed',
    vendorReference: '1-123',
    confirmation: { vendor: '1-123', property: 'H77', rooms: [{ vendor: 'R1', property: 'H77' }] },
    clientReference: 'trip-4711',
    stay: {
      checkIn: '2027-03-01',
      checkOut: '2027-03-03',
      occupancies: names.map(() => ({ adults: 2, childrenAges: [4, 9] })),
    },
    persons: {
      guests: names.map((familyName) => ({ givenName: '', familyName, email: 'who@example.com', phone: '' })),
      contact: { email: 'who@example.com', phone: '+1 555 0100' },
      specialRequests: 'Quiet room',
    },
    notices: [
      notice('rate_comment', 'City tax is paid on arrival.'),
      notice('fees', 'Not for the desk', ['checkout']),
      notice('trader', CLAUSE),
    ],
    ...more,
  })

async function printed(booking: Booking) {
  const pdf = await documentPdf(voucherDocument(createVoucher(booking)))
  const { text, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: true })
  return { pdf: pdf.toString('latin1'), text, totalPages }
}

/** Letters of a line in any order, without combining parts, since extraction may reorder them. */
const sortLetters = (text: string) => [...text.normalize('NFC').replace(/[\s\p{Cc}]/gu, '')].sort().join('')

const FACTS = [
  ...[
    'Hotel Testa',
    'Apart-hotel',
    '1 Via Prova, Roma, ',
    '+39 06 1234',
    '1-123',
    'H77',
    'R1',
    'REF00000000000000001',
    'trip-4711',
  ],
  ...['15:00', '11:00', 'Double', 'Ada Guest', 'Quiet room', 'City tax is paid on arrival.'],
]

test('every format of a voucher has the guests, dates, references and required notices', async () => {
  const booking = confirmed(['Ada Guest'])
  const { text } = await printed(booking)
  const html = documentHtml(voucherDocument(createVoucher(booking)))
  const json = JSON.stringify(presentVoucher(createVoucher(booking)))
  for (const fact of [...FACTS, CLAUSE]) {
    expect(html).toContain(fact)
    expect(json).toContain(fact)
    expect(text.replace(/\s+/g, ' ')).toContain(fact)
  }
  for (const form of [text, html]) expect(form).toMatch(/2 adults, children aged 4, 9/)
  for (const form of [text, html]) expect(form).toContain('Breakfast included')
})

test('printed dates and countries are written out, and each number has the same name as on the page and in the mail', async () => {
  const booking = confirmed(['Ada Guest'])
  const { text } = await printed(booking)
  const html = documentHtml(voucherDocument(createVoucher(booking))).replaceAll(/<[^>]+>/g, ' ')
  for (const form of [text, html].map((each) => each.replaceAll(/\s+/g, ' '))) {
    expect(form).toContain('Check-in Monday, 1 March 2027, from 15:00')
    expect(form).toContain('Check-out Wednesday, 3 March 2027, until 11:00')
    expect(form).toContain('Address 1 Via Prova, Roma, Italy')
    expect(form).toContain('Booking reference REF00000000000000001')
    expect(form).toContain('Vendor confirmation number 1-123')
    expect(form).toContain('Hotel confirmation number H77')
    expect(form).toContain('Booked with Serai')
    expect(form).not.toMatch(/Our reference|Your reference/)
  }
})

test('the id of a checkout on the page is not printed, and that of an API client is', () => {
  const page = createVoucher(confirmed(['Ada Guest'], { clientReference: 'web_ruooblksvzmwyvdbvtxr' }))
  expect(documentHtml(voucherDocument(page))).not.toContain('web_')
  expect(documentHtml(voucherDocument(createVoucher(confirmed(['Ada Guest']))))).toContain('trip-4711')
})

test('a voucher with 18 lines of notices fits on one page', async () => {
  const text = Array.from({ length: 18 }, (_, index) => `Instruction ${index + 1} of the property.`).join('\n')
  const { totalPages } = await printed(confirmed(['Ada Guest'], { notices: [notice('check_in', text)] }))
  expect(totalPages).toBe(1)
})

test('a voucher shows no price, contact or notice for other places', async () => {
  const price = { ...aPrice(98_765), dueAtProperty: euro(4_321), fees: [] }
  const booking = confirmed(['Ada Guest'], { price })
  const { text } = await printed(booking)
  const forms = [
    text,
    documentHtml(voucherDocument(createVoucher(booking))),
    JSON.stringify(presentVoucher(createVoucher(booking))),
  ]
  for (const form of forms) {
    for (const amount of ['987', '967', '43.21', 'EUR', 'who@example.com', '555 0100', 'Not for the desk'])
      expect(form).not.toContain(amount)
  }
})

const NAMES = [
  ...['Zoë Łukasz Ñandú Şükrü', 'Nguyễn Thị Hồng', 'Анна Жукова Її', 'Γιώργος Παπαδόπουλος', 'محمد بن عبد الله'],
  ...['דוד כהן', 'สมชาย ใจดี', 'राजेश शर्मा', '王小明 髙﨑 渡邊 龍', 'たなか タロウ', '김민준', 'გიორგი', 'Արմեն'],
  ...['தமிழ்', 'রবীন্দ্রনাথ', 'አበበ'],
]

test('names in all common scripts are printed completely, with embedded font subsets', async () => {
  const { pdf, text } = await printed(confirmed(NAMES))
  const lines = text.split('\n').filter((line) => line.startsWith('Lead guest'))
  expect(lines.map((line) => sortLetters(line.replace('Lead guest', '')))).toEqual(NAMES.map(sortLetters))
  expect(text).not.toContain('\ufffd')
  expect(pdf).not.toContain('Helvetica')
  // A subset has six letters and a plus before the name of its font.
  const fonts = [...pdf.matchAll(/\/BaseFont \/(\S+)/g)].map(([, font]) => font)
  expect(fonts.length).toBeGreaterThan(10)
  for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+/)
  expect(pdf.length).toBeLessThan(200_000)
})

test('right-to-left and left-to-right text can be combined on one line', async () => {
  const { text } = await printed(confirmed(['دوד 12 Room']))
  expect(text).toContain('12')
  expect(text).toContain('Room')
})

test('a character missing in all fonts is replaced, and the rest of the name is printed', async () => {
  const { text } = await printed(confirmed(['Ada 🙂 Guest']))
  expect(text).toContain('Ada \ufffd Guest')
})

test('markup and bidirectional control characters cannot change a voucher', async () => {
  const booking = confirmed(['<b>Ada</b>\u202e"&'], { notices: [notice('policies', '<script>alert(1)</script>')] })
  const html = documentHtml(voucherDocument(createVoucher(booking)))
  expect(html).not.toMatch(/<b>|<script/)
  expect(html).toContain('&lt;script&gt;')
  const { text } = await printed(booking)
  expect(text).toContain('<b>Ada</b>"&')
})

test('the longest notice is printed completely, on as many pages as needed', async () => {
  const long = Array.from({ length: 1_200 }, (_, index) => `word${index}`).join(' ')
  const unbroken = 'x'.repeat(400)
  const { text, totalPages } = await printed(
    confirmed(['Ada Guest'], { notices: [notice('rate_comment', `${long}\n${unbroken}\nThe end.`)] }),
  )
  expect(totalPages).toBeGreaterThan(1)
  for (const word of ['word0', 'word600', 'word1199', 'The end.']) expect(text).toContain(word)
  expect(text.replace(/\s/g, '')).toContain(unbroken)
})

test('each room shows its lead guest or, without one, that of the first room', async () => {
  const two = confirmed(['Ada Guest', 'Bob Guest'])
  expect(createVoucher(two).rooms.map(({ guest }) => guest)).toEqual(['Ada Guest', 'Bob Guest'])
  const persons = { ...two.persons, guests: two.persons.guests.slice(0, 1) }
  expect(createVoucher({ ...two, persons }).rooms.map(({ guest }) => guest)).toEqual(['Ada Guest', 'Ada Guest'])
})

test('the voucher of a simulated booking says so in both languages of the page', async () => {
  const booking = confirmed(['Ada Guest'], { simulated: true })
  const html = documentHtml(voucherDocument(createVoucher(booking)))
  const { text } = await printed(booking)
  for (const mark of ['Simulated booking: no vendor has it', 'Simulierte Buchung: Kein Anbieter hat sie'])
    for (const document of [html, text]) expect(document).toContain(mark)
  expect((await printed(confirmed(['Ada Guest']))).text).not.toMatch(/Simul/)
})

test('the vendor’s numbers of the booking and of a room have different names', async () => {
  const booking = confirmed(['Ada Guest'])
  const facts = voucherDocument(createVoucher(booking)).sections.flatMap((section) => section.facts)
  const names = facts.flatMap(([name, value]) => (value === '1-123' || value === 'R1' ? [name] : []))
  expect(names).toHaveLength(2)
  expect(new Set(names).size).toBe(2)
})

test('the voucher of a partly cancelled booking shows only the remaining rooms, under their own numbers', async () => {
  const booking = confirmed(['Lovelace', 'Hopper', 'Ross'], { rooms: ['confirmed', 'cancelled', 'confirmed'] })
  expect(presentVoucher(createVoucher(booking)).rooms.map(({ lead_guest: guest }) => guest)).toEqual([
    'Lovelace',
    'Ross',
  ])
  const html = documentHtml(voucherDocument(createVoucher(booking)))
  expect(html).toContain('Room 1')
  expect(html).toContain('Room 3')
  expect(html).not.toMatch(/Room 2|Hopper/)
})
