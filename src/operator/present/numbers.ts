import type { Static } from 'typebox'
import { toMajor } from '../../domain/money/money.ts'
import { moment } from '../../http/present/moment.ts'
import type { NumbersResponse } from '../schemas/numbers.ts'
import { NUMBERS_CURRENCY, type Numbers } from '../statements/read-numbers.ts'

const amount = (minor: number) => toMajor({ minor, currency: NUMBERS_CURRENCY })

export const presentNumbers = (
  { asOf, from, days }: Numbers,
  seesNet: boolean,
): Static<typeof NumbersResponse>['data'] => ({
  as_of: moment(asOf),
  from,
  currency: NUMBERS_CURRENCY,
  days: days.map(({ vendorId, value, margin, ...counts }) => ({
    ...counts,
    vendor_id: vendorId,
    value: amount(value),
    margin: seesNet ? amount(margin) : null,
  })),
})
