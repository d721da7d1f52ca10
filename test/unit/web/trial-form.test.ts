import { expect, test } from 'vitest'
import { ApiProblem } from '../../../web/src/api/problem.ts'
import { NEW_TRIAL, trialBody } from '../../../web/src/console/selling/trial-form.ts'

test('an invalid number is reported at its field and never sent as null', () => {
  const form = { ...NEW_TRIAL, net: '1,000', rooms: 'two', stars: 'Infinity' }
  const refused = (() => {
    try {
      return trialBody(form)
    } catch (error) {
      return error
    }
  })()
  expect(refused).toBeInstanceOf(ApiProblem)
  expect((refused as ApiProblem).fields.map(({ field }) => field)).toEqual(['net.amount', 'rooms', 'stars'])
  expect(trialBody({ ...NEW_TRIAL, net: '12.5', rooms: '' })).toMatchObject({ net: { amount: 12.5, currency: 'EUR' } })
})
