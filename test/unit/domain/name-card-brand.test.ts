import { expect, test } from 'vitest'
import { nameCardBrand } from '../../../src/domain/payment/name-card-brand.ts'

test.each([
  ['visa', 'Visa'],
  ['amex', 'American Express'],
  ['cartes_bancaires', 'Cartes bancaires'],
])('the card brand %s is named %s', (brand, name) => {
  expect(nameCardBrand(brand)).toBe(name)
})
