import { expect, test } from 'vitest'
import { decodeContent } from '../../../../src/vendors/expedia_rapid/content/decode.ts'
import { decodePriceCheck, decodeRooms } from '../../../../src/vendors/expedia_rapid/decode-rooms.ts'
import { traderNotices } from '../../../../src/vendors/expedia_rapid/notices.ts'
import {
  availability,
  contentAnswer,
  contentProperty,
  PROPERTY_ID,
  priceCheck,
} from '../../../support/vendors/expedia_rapid.ts'
import { ORIGIN } from './scripted.ts'

const NOW = Date.parse('2027-01-20T12:00:00Z')
const TERMS = 'https://vendor.example/terms'
const TAXES = 'The taxes are recovery charges.'
const stay = { checkIn: '2027-09-21', checkOut: '2027-09-23', occupancies: [{ adults: 2, childrenAges: [] }] }
const query = {
  vendorPropertyId: PROPERTY_ID,
  stay,
  market: { currency: 'USD', language: 'en-US', countryCode: 'US' },
  timezone: 'UTC',
}
const readNotices = (more: object) =>
  decodeContent(contentAnswer({ ...contentProperty(), ...more })).properties[0]?.notices?.map(
    ({ kind, title, text }) => [kind, title, text] as const,
  )

test('fees, policies, instructions, minimum age and payments become plain-text notices', () => {
  const notices = readNotices({
    fees: {
      mandatory: '<p>At the desk:</p><ul><li>Resort fee: 20 a night</li><li>Deposit: 50</li></ul>',
      optional: 'Sauna &amp; spa: 9<script>alert(1)</script>',
    },
    policies: { know_before_you_go: 'No lift. </li><li>Children stay free. </li></ul>' },
    checkin: {
      instructions: 'Bring a card.&lt;br />Call ahead.',
      special_instructions: 'Key in the box.',
      min_age: 21,
    },
    onsite_payments: {
      currency: 'USD',
      types: { '1': { id: '1', name: 'Debit card' }, '2': { id: '2', name: 'Cash' } },
    },
  })
  expect(notices).toEqual([
    ['fees', 'Mandatory fees', 'At the desk:\nResort fee: 20 a night\nDeposit: 50'],
    ['fees', 'Optional fees', 'Sauna & spa: 9'],
    ['check_in', 'Check-in instructions', 'Bring a card.\nCall ahead.'],
    ['check_in', 'Special check-in instructions', 'Key in the box.'],
    ['check_in', 'Minimum check-in age', '21+'],
    ['policies', 'Know before you go', 'No lift.\nChildren stay free.'],
    ['policies', 'Payments at the property', 'Debit card, Cash (USD)'],
  ])
})

test.each([{}, { fees: null, policies: 7, checkin: 'late', onsite_payments: [] }])(
  'missing or invalid content has no notices: %j',
  (more) => {
    expect(readNotices({ checkin: undefined, ...more })).toEqual([])
  },
)

const offersWith = (change: object) =>
  decodeRooms(
    availability((rate) => void Object.assign(rate, change)),
    { query, origin: ORIGIN, termsUrl: TERMS, taxesText: TAXES, now: NOW },
  )

test("a rate has notices for promotions and deposits, and a link to the supplier's terms", () => {
  const [offer] = offersWith({
    promotions: {
      deal: { id: '1', description: 'Book early' },
      value_adds: { a: { id: 'a', description: 'Free ferry' } },
    },
    deposits: [{ value: '70.00', due: '2027-08-01', currency: 'USD' }, {}],
    refundable_damage_deposit: { value: '500.00', currency: 'USD' },
  })
  expect(offer?.notices).toMatchObject([
    { kind: 'promotion', text: 'Book early\nFree ferry' },
    { kind: 'deposit', title: 'Deposits', text: '70.00 USD, due 2027-08-01' },
    { kind: 'deposit', title: 'Refundable damage deposit', text: '500.00 USD' },
    { kind: 'fees', title: 'Taxes and fees', text: TAXES, requiredAt: ['detail', 'checkout'] },
    { kind: 'vendor_terms', url: TERMS, requiredAt: ['checkout'] },
  ])
})

const trader = {
  name: 'Harbour Inn Ltd',
  address: { line_1: '4 Quay Street', city: 'Cork', country_code: 'IE' },
  business_register_name: 'Companies Office',
  business_register_number: '55',
  right_to_withdraw_message: 'There is no right to withdraw.',
}

test('a price check has notices for the trader and a link to its terms', () => {
  const [offer] = offersWith({})
  const body = priceCheck({
    trader_information: { traders: [trader], terms_and_conditions: 'https://trader.example/terms' },
  })
  const checked = decodePriceCheck(body, offer?.ref ?? {}, ORIGIN, NOW)
  expect(checked).toMatchObject({
    notices: [
      { kind: 'deposit', title: 'Card on file at the property, up to' },
      {
        kind: 'trader',
        text: 'Harbour Inn Ltd\n4 Quay Street, Cork, IE\nCompanies Office 55\nThere is no right to withdraw.',
      },
      { kind: 'vendor_terms', url: 'https://trader.example/terms' },
    ],
  })
})

test.each(['javascript:alert(1)', 'http://trader.example', 'https://trader.example/"><b>', ''])(
  'an unsafe URL of terms is not linked: %s',
  (terms_and_conditions) => {
    expect(traderNotices({ traders: [], terms_and_conditions })).toEqual([])
  },
)
