import { expect, test } from 'vitest'
import { checkTrial, NEW_TRIAL, trialBody } from '../../../web/src/console/selling/trial-form.ts'

test('an invalid number is reported at its field and never sent as null', () => {
  const findFaults = (typed: object) =>
    Object.entries(checkTrial({ ...NEW_TRIAL, ...typed })).flatMap(([field, message]) => (message ? [field] : []))
  expect(findFaults({})).toEqual([])
  expect(findFaults({ net: '1,000', rooms: 'two', stars: 'Infinity' })).toEqual(['net.amount', 'rooms', 'stars'])
  expect(findFaults({ net: ' ', currency: 'euro' })).toEqual(['net.amount', 'net.currency'])
  expect(trialBody({ ...NEW_TRIAL, net: '12.5', rooms: '' })).toMatchObject({ net: { amount: 12.5, currency: 'EUR' } })
})
