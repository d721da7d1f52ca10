import { expect, test } from 'vitest'
import { propertyNotices } from '../../../src/vendors/expedia_rapid/notices.ts'
import { bookingNotices } from '../../../src/vendors/liteapi/notices.ts'
import { estimateTextFees, hasTextFees } from '../../../web/src/offer/text-fees.ts'

type Notices = Parameters<typeof hasTextFees>[0]
const asShown = (notices: readonly object[]) => notices as unknown as NonNullable<Notices>
const mandatory = (text: string) => asShown([{ kind: 'fees', title: 'Mandatory fees', text }])
const COUPLE = { nights: 3, rooms: 1, guests: 2 }

test('mandatory fees in the words of each vendor are recognised, and optional ones are not', () => {
  expect(hasTextFees(asShown(propertyNotices({ fees: { mandatory: 'Linen: EUR 8' } })))).toBe(true)
  expect(hasTextFees(asShown(bookingNotices({ mandatoryFees: 'Linen: EUR 8' })))).toBe(true)
  expect(hasTextFees(asShown(propertyNotices({ fees: { optional: 'Sauna: EUR 9' } })))).toBe(false)
  expect(hasTextFees(asShown(bookingNotices({ optionalFees: 'Sauna: EUR 9' })))).toBe(false)
})

test.each([
  ['Cleaning fee: EUR 35 per stay\nBed linen: EUR 8 per person', { amount: 51, currency: 'EUR' }],
  ['You pay at the property:\nResort fee: USD 29.10 per night', { amount: 87.3, currency: 'USD' }],
  ['Tax: EUR 2.80 per person, per night\nDeposit: EUR 100 per stay', { amount: 16.8, currency: 'EUR' }],
])('%j is estimated from its amounts for the nights and guests', (text, estimate) => {
  expect(estimateTextFees(mandatory(text), COUPLE)).toEqual(estimate)
})

test.each([
  'A regional fee is collected on arrival.',
  'Resort fee: USD 20 per accommodation',
  'Tax: EUR 2 per person, per night, up to 7 nights',
  'Cleaning fee: EUR 35 per stay\nPets: USD 8 per night',
  'Kurtaxe 2,80 EUR pro Person und Nacht',
])('%j has no unambiguous amount, so that nothing is estimated', (text) => {
  expect(estimateTextFees(mandatory(text), COUPLE)).toBeUndefined()
})

test('a fee per stay is not estimated for several rooms', () => {
  expect(estimateTextFees(mandatory('Cleaning fee: EUR 35 per stay'), { ...COUPLE, rooms: 2 })).toBeUndefined()
  expect(estimateTextFees(mandatory('Cleaning fee: EUR 35 per room'), { ...COUPLE, rooms: 2 })?.amount).toBe(70)
})
