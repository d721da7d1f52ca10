import { expect, test } from 'vitest'
import { buildTerms, readFreeCancellation, readTerms } from '../../../../src/vendors/liteapi/cancel-terms.ts'
import { ladder } from '../../../support/vendors/liteapi.ts'
import { NOW } from './scripted.ts'

const CHARGE = { retail: 200_00, net: 190_00, currency: 'EUR' }
const WHOLE = { minor: 190_00, currency: 'EUR' }

function terms(policies: unknown, zone = 'America/New_York') {
  const read = readTerms(policies, CHARGE)
  if (read === 'unreadable') throw new Error('unreadable')
  return { cancel: buildTerms([read], WHOLE, NOW, zone), freedom: readFreeCancellation([read], NOW, zone) }
}

test("steps in GMT are converted to the property's time zone", () => {
  const { cancel, freedom } = terms(ladder(['2027-05-30 02:00:00', 200]))
  expect(cancel).toEqual({
    penalties: [{ from: '2027-05-29T22:00:00-04:00', amount: WHOLE }],
    refundable: true,
  })
  expect(freedom).toEqual({ freeCancellation: { until: '2027-05-29T22:00:00-04:00' } })
})

test.each([
  ['2027-05-30 02:00:00', '2027-05-30T02:00:00+00:00'],
  ['2027-05-30T02:00:00Z', '2027-05-30T02:00:00+00:00'],
  ['2027-05-30', '2027-05-30T00:00:00+00:00'],
])('%s is read as GMT, whatever its zone field says', (cancelTime, from) => {
  const infos = [{ cancelTime, amount: 200, currency: 'EUR', type: 'amount', timezone: 'America/Lima' }]
  const { cancel } = terms({ cancelPolicyInfos: infos, refundableTag: 'RFN' }, 'UTC')
  expect(cancel?.penalties[0]?.from).toBe(from)
})

test('unsorted steps are sorted, replace each other, and are scaled to our charge', () => {
  const { cancel } = terms(ladder(['2027-05-28 00:00:00', 200], ['2027-05-20 00:00:00', 100]), 'UTC')
  expect(cancel?.penalties).toEqual([
    {
      from: '2027-05-20T00:00:00+00:00',
      until: '2027-05-28T00:00:00+00:00',
      amount: { minor: 95_00, currency: 'EUR' },
    },
    { from: '2027-05-28T00:00:00+00:00', amount: WHOLE },
  ])
})

test('NRFN without steps costs everything from now on', () => {
  const { cancel, freedom } = terms({ cancelPolicyInfos: null, hotelRemarks: null, refundableTag: 'NRFN' }, 'UTC')
  expect(cancel).toEqual({ penalties: [{ from: '2027-05-01T12:00:00+00:00', amount: WHOLE }], refundable: false })
  expect(freedom).toEqual({})
})

test('NRFN loses everything, whatever its steps say', () => {
  const infos = [
    { cancelTime: '2022-01-02 00:00:00', amount: 30, type: 'percentage', timezone: 'GMT' },
    { cancelTime: '2027-05-25 00:00:00', amount: 100, type: 'percentage', timezone: 'GMT' },
  ]
  const { cancel } = terms({ cancelPolicyInfos: infos, refundableTag: 'NRFN' }, 'UTC')
  expect(cancel?.penalties.map(({ amount }) => amount.minor)).toEqual([190_00])
  expect(cancel?.refundable).toBe(false)
})

test('NRFN is never free before its first step', () => {
  const { cancel, freedom } = terms({ ...ladder(['2027-05-20 00:00:00', 200]), refundableTag: 'NRFN' }, 'UTC')
  expect(cancel).toMatchObject({ penalties: [{ amount: WHOLE }], refundable: false })
  expect(freedom).toEqual({})
})

test('RFN without steps has unknown terms, which are not free', () => {
  const { cancel, freedom } = terms({ refundableTag: 'RFN' })
  expect(cancel).toBeUndefined()
  expect(freedom).toEqual({})
})

test.each([
  [{ cancelTime: 'soon', amount: 1, type: 'amount' }],
  [{ cancelTime: '2027-05-20', amount: -1, type: 'amount' }],
  [{ cancelTime: '2027-05-20', amount: 1, type: 'nights' }],
  [{ cancelTime: '2027-05-20', amount: 1, type: 'amount', currency: 'USD' }],
  [{ cancelTime: '2027-05-20', amount: 130, type: 'percentage' }],
])('the step %j is unreadable', (info) => {
  expect(readTerms({ cancelPolicyInfos: [info], refundableTag: 'RFN' }, CHARGE)).toBe('unreadable')
})

test('a room without a price has no fee', () => {
  const free = readTerms(ladder(['2027-05-20 00:00:00', 0]), { retail: 0, net: 0, currency: 'EUR' })
  expect(free).toMatchObject({ steps: [{ minor: 0 }] })
})
