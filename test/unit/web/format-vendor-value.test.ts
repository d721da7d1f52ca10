import { expect, test } from 'vitest'
import { formatVendorValue } from '../../../web/src/console/bookings/format-vendor-value.ts'

test('the record of a vendor is described in words, without repetition', () => {
  const property = { vendors_property_id: '2723', name: 'Hotel Aurora' }
  const guests = [
    { given_name: 'Ada', family_name: 'Lovelace' },
    { given_name: 'Alan', family_name: 'Turing' },
  ]
  expect(formatVendorValue({ status: 'partly_cancelled', property, guests, board: null })).toBe(
    'status partly cancelled, property id 2723, name Hotel Aurora, guests Ada Lovelace; Alan Turing',
  )
  expect(formatVendorValue({ amount: 120.5, currency: 'EUR' })).toBe('amount 120.5, currency EUR')
})

test('references and ids are shown exactly as the vendor writes them', () => {
  expect(formatVendorValue({ vendor_reference: 'AB_12_x' })).toBe('vendor reference AB_12_x')
})
