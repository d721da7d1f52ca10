import { expect, test } from 'vitest'
import { recognizeMeal } from '../../../../src/vendors/wire/meals.ts'

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
])('%s: %s', (text, meal) => {
  expect(recognizeMeal(text)).toBe(meal)
})
