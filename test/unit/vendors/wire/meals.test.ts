import { expect, test } from 'vitest'
import { mealFor, readHeads, recognizeMeal } from '../../../../src/vendors/wire/meals.ts'

test.each([
  ['Free breakfast', 'breakfast'],
  ['Frühstück für 2 Personen', 'breakfast'],
  ['Petit déjeuner gratuit', 'breakfast'],
  ['Desayuno incluido', 'breakfast'],
  ['Breakfast discount', undefined],
  ['Ermäßigung auf das Frühstück', undefined],
  ['Ohne Frühstück', undefined],
  ['Réduction sur le petit déjeuner', undefined],
  ['Petit déjeuner en supplément', undefined],
  ['Descuento en el desayuno', undefined],
  ['Sconto sulla colazione', undefined],
  ['Colazione non inclusa', undefined],
  ['Desconto no café da manhã', undefined],
  ['Korting op ontbijt', undefined],
  ['Скидка на завтрак', undefined],
  ['朝食割引', undefined],
  ['朝食付き', 'breakfast'],
  ['조식 할인 쿠폰', undefined],
  ['Desayuno no incluido', undefined],
  ['DINNER, BED AND BREAKFAST', 'half_board'],
  ['Dinner and breakfast', 'half_board'],
])('%s: %s', (text, meal) => {
  expect(recognizeMeal(text)).toBe(meal)
})

test.each([
  ['Breakfast for 1', 1],
  ['BREAKFAST FOR ONE GUEST', 1],
  ['Breakfast for 2', 2],
  ['Frühstück für 2 Personen', 2],
  ['Frühstück für zwei', 2],
  ['Petit déjeuner pour 2', 2],
  ['Desayuno para dos personas', 2],
  ['单早', 1],
  ['2名様分の朝食', 2],
  ['Free breakfast', undefined],
  ['Breakfast for 2 nights', undefined],
  ['Buffet breakfast', undefined],
])('%s is for so many persons: %s', (text, heads) => {
  expect(readHeads(text)).toBe(heads)
})

test('a meal counts only if it covers every guest', () => {
  expect([mealFor(2, 'breakfast', 2), mealFor(2, 'breakfast', undefined)]).toEqual(['breakfast', 'breakfast'])
  expect([mealFor(3, 'breakfast', 2), mealFor(1, undefined, 1)]).toEqual(['some', undefined])
})
