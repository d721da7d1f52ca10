import { expect, test } from 'vitest'
import { rateNotices, taxesNotice, termsNotice } from '../../../../src/vendors/expedia_rapid/notices.ts'
import { readBillable } from '../../../../src/vendors/expedia_rapid/rate.ts'

const charge = (requested: string, billed: string, currency: string) => ({
  request_currency: { value: requested, currency: 'EUR' },
  billable_currency: { value: billed, currency },
})
const pricing = (currency: string) => ({
  '2': {
    totals: {
      inclusive: charge('100.00', '120.00', currency),
      property_inclusive: charge('105.00', '126.00', currency),
      exclusive: charge('90.00', '108.00', currency),
    },
  },
})

test('the billable total of a price check is kept for every room, if it is in another currency', () => {
  expect(readBillable(pricing('USD'), ['2', '2'], 'EUR')).toEqual({ billable: { minor: 252_00, currency: 'USD' } })
  expect(readBillable(pricing('EUR'), ['2'], 'EUR')).toEqual({})
  expect(readBillable({}, ['2'], 'EUR')).toEqual({})
})

test('the texts that Expedia prescribes are shown before booking', () => {
  expect(taxesNotice('The taxes are …')).toMatchObject({ title: 'Taxes and fees', requiredAt: ['detail', 'checkout'] })
  expect(termsNotice('https://example.com/terms')).toMatchObject({ text: 'Supplier Terms & Conditions' })
})

test('a limit for a card on file is shown with the deposits', () => {
  expect(rateNotices({ card_on_file_limit: { value: '250.00', currency: 'USD' } })).toMatchObject([
    { kind: 'deposit', title: 'Card on file at the property, up to', text: '250.00 USD' },
  ])
})
