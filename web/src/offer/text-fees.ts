import type { Room } from '../api/shapes.ts'

type Notices = Room['notices']
export type Party = { readonly nights: number; readonly rooms: number; readonly guests: number }
export type FeeEstimate = { readonly amount: number; readonly currency: string }

const findMandatory = (notices: Notices) =>
  notices.filter(({ kind, title }) => kind === 'fees' && title === 'Mandatory fees')

/** True if the vendor names mandatory fees in words. The total may not include them. */
export const hasTextFees = (notices: Notices = []): boolean => findMandatory(notices).length > 0

/**
 * Sum of the mandatory fees named in words. Undefined unless every line that contains a number has an amount, a currency
 * and a known basis; deposits are returned and not counted.
 */
export function estimateTextFees(notices: Notices, party: Party): FeeEstimate | undefined {
  const lines = findMandatory(notices).flatMap(({ text }) => text.split('\n'))
  const fees = lines.filter((line) => /\d/.test(line) && !/deposit/i.test(line)).map((line) => readFee(line, party))
  const [first] = fees
  if (first === undefined || fees.some((fee) => fee?.currency !== first.currency)) return undefined
  const amount = fees.reduce((sum, fee) => sum + (fee?.amount ?? 0), 0)
  return { amount: Math.round(amount * 1000) / 1000, currency: first.currency }
}

const FEE = /: ([A-Z]{3}) (\d+(?:\.\d{1,2})?) (per [a-z, ]+?)\.?$/

function readFee(line: string, party: Party): FeeEstimate | undefined {
  const [, currency, amount, basis = ''] = FEE.exec(line.trim()) ?? []
  const times = countTimes(basis.replaceAll(/[\s,]+/g, ' '), party)
  return currency === undefined || times === undefined ? undefined : { currency, amount: Number(amount) * times }
}

/** A fee per stay or per night of several rooms is ambiguous: it may be for each of them. */
function countTimes(basis: string, { nights, rooms, guests }: Party): number | undefined {
  switch (basis) {
    case 'per person':
    case 'per person per stay':
      return guests
    case 'per person per night':
      return guests * nights
    case 'per room':
    case 'per room per stay':
      return rooms
    case 'per room per night':
      return rooms * nights
    case 'per stay':
      return rooms === 1 ? 1 : undefined
    case 'per night':
      return rooms === 1 ? nights : undefined
    default:
      return undefined
  }
}
