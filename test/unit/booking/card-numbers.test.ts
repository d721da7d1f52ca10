import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { cardNumberPath, containsCardNumber } from '../../../src/booking/guests/card-numbers.ts'
import { anOffer, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { describeOutcome, openBookingParts } from '../../support/booking/booking-parts.ts'

/** Published test numbers of the schemes. */
const CARDS = {
  visa: '4111111111111111',
  'visa debit': '4012888888881881',
  'visa of 13 digits': '4222222222222',
  mastercard: '5555555555554444',
  'mastercard, older': '5105105105105100',
  'mastercard of the 2 series': '2223003122003222',
  amex: '378282246310005',
  'amex, other': '371449635398431',
  discover: '6011111111111117',
  'discover, other': '6011000990139424',
  diners: '30569309025904',
  'diners, other': '38520000023237',
  jcb: '3530111333300000',
  maestro: '6759649826438453',
  unionpay: '6200000000000005',
  dankort: '5019717010103742',
  mir: '2200000000000004',
} as const

const grouped = (card: string, size: number, sign: string) =>
  card.match(new RegExp(`.{1,${size}}`, 'g'))?.join(sign) ?? card

const FORMATS: Record<string, (card: string) => string> = {
  bare: (card) => card,
  spaced: (card) => grouped(card, 4, ' '),
  dashed: (card) => grouped(card, 4, '-'),
  dotted: (card) => grouped(card, 4, '.'),
  slashed: (card) => grouped(card, 4, '/'),
  'with non-breaking blanks': (card) => grouped(card, 4, '\u00a0'),
  'with long dashes': (card) => grouped(card, 4, '–'),
  'in two blanks': (card) => grouped(card, 4, '  '),
  'over lines': (card) => grouped(card, 4, '\n'),
  'in sixes': (card) => grouped(card, 6, ' '),
  'in pairs': (card) => grouped(card, 2, ' '),
  'digit by digit': (card) => grouped(card, 1, ' '),
  'inside a sentence': (card) => `please charge ${card}, thank you`,
  'after another number': (card) => `room 12, ${card}`,
  'with expiry and code': (card) => `${card} 12/29 123`,
  'between letters': (card) => `card${card}x`,
  'in full-width digits': (card) => card.replace(/\d/g, (d) => String.fromCharCode(0xff10 + Number(d))),
  'in Arabic digits': (card) => card.replace(/\d/g, (d) => String.fromCharCode(0x660 + Number(d))),
}

test.each(Object.entries(FORMATS))('every card number is detected: %s', (_, write) => {
  const missed = Object.entries(CARDS).filter(([, card]) => !containsCardNumber(write(card)))
  expect(missed).toEqual([])
})

test('a number with a wrong check digit is not a card number', () => {
  const changed = Object.values(CARDS).map((card) => card.slice(0, -1) + String((Number(card.at(-1)) + 1) % 10))
  expect(changed.filter(containsCardNumber)).toEqual([])
})

test.each([
  '+49 30 901820',
  '+49 170 1234567890',
  '+4915112345678',
  '+33 1 23 45 67 89',
  '+33612345678',
  '+44 20 7946 0958',
  '+1 (212) 555-0100',
  '+86 138 0013 8000',
  '0049 30 12345678',
  '030 12345678',
  '01 23 45 67 89, 06 12 34 56 78',
  '2027-03-04',
  '2027-03-04 2027-03-06',
  '2027-03-04 15:30 to 2027-03-06 11:00',
  '20270304 20270306',
  '2027-03-04T15:30:00.000Z',
  '1768478400000',
  '1768478400000000',
  'bkg_0123456789abcdefghjkmnpqr',
  '7H0K2M9QW3E4R5T6Y1ZX',
  'HB-2027-000123456789',
  '1000000000000000000000000000',
  '123e4567-e89b-12d3-a456-426614174000',
  'Flight LH 1234, arriving 22:45, 2 adults, 2 children (4, 7)',
])('%s is no card number', (text) => {
  expect(containsCardNumber(text)).toBe(false)
})

const FIELDS: Record<string, (text: string) => object> = {
  special_requests: (text) => ({ special_requests: text }),
  client_reference: (text) => ({ client_reference: text }),
  'guests[0].given_name': (text) => ({ guests: [{ given_name: text, family_name: 'B' }] }),
  'guests[0].family_name': (text) => ({ guests: [{ given_name: 'A', family_name: text }] }),
  'guests[0].email': (text) => ({ guests: [{ given_name: 'A', family_name: 'B', email: `${text}@example.com` }] }),
  'guests[0].phone': (text) => ({ guests: [{ given_name: 'A', family_name: 'B', phone: text }] }),
  'guests[0].card.number': (text) => ({ guests: [{ given_name: 'A', family_name: 'B', card: { number: text } }] }),
  'contact.email': (text) => ({ contact: { email: `${text}@example.com` } }),
  'contact.phone': (text) => ({ contact: { phone: text } }),
  'payment.card': (text) => ({ payment: { card: text } }),
  'payment[1]': (text) => ({ payment: ['visa', text] }),
  bed_id: (text) => ({ bed_id: text }),
  accept_price_up_to: (text) => ({ accept_price_up_to: Number(text) }),
}

test('a card number in any field is refused with the name of the field, without the number, and no vendor is called', async () => {
  const parts = await openBookingParts()
  for (const [field, put] of Object.entries(FIELDS)) {
    for (const card of [CARDS.visa, CARDS.amex, CARDS.mastercard]) {
      const body = { ...sealBookingInfo(anOffer()), ...put(card) }
      const error = await parts.bookStay(body).catch((refusal) => refusal)
      expect(error).toMatchObject({ code: 'card_data_not_accepted', errors: [{ field }] })
      expect(JSON.stringify([error.message, error.errors, error.facts])).not.toContain(card)
    }
  }
  expect(await describeOutcome(parts.bookStay({ ...sealBookingInfo(anOffer()), [CARDS.visa]: 1 }))).toBe(
    'card_data_not_accepted',
  )
  expect(parts.calls).toEqual([])
  await parts.close()
})

test.each([
  '52cff199-9355-4899-8878-37632c9d1502',
  '7088C063-E961-4942-8179-17064FEC1355',
  'order 91d39372-6377-4044-8c60-20a7c7a0a6a4, second try',
  'order_91d39372-6377-4044-8c60-20a7c7a0a6a4_2',
  'deadbeefcafe4012888888881881abcd',
])('%s, a UUID, is never taken for a card number', (uuid) => {
  expect(containsCardNumber(uuid)).toBe(false)
})

test('random UUIDs are never mistaken for card numbers, and a card number beside one is found', () => {
  for (let at = 0; at < 20_000; at += 1) expect(containsCardNumber(randomUUID())).toBe(false)
  expect(containsCardNumber(`${randomUUID()} ${CARDS.visa}`)).toBe(true)
  expect(containsCardNumber(`${CARDS.visa}-${randomUUID()}`)).toBe(true)
})

test('a sealed offer is never mistaken for a card number', () => {
  for (let at = 0; at < 300; at += 1) {
    const { price_check_uri: _, ...visible } = sealBookingInfo(anOffer({ offerId: `off_${at}` }))
    expect(cardNumberPath(visible)).toBeUndefined()
  }
})
