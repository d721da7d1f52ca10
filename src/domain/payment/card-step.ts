import type { Money } from '../money/money.ts'

/** Smallest charge in minor units, for currencies whose last decimals are always zero on cards. */
const STEPS: Readonly<Record<string, number>> = { BHD: 10, JOD: 10, KWD: 10, MGA: 100, OMR: 10, TND: 10 }

export const isCardAmount = ({ minor, currency }: Money): boolean => minor % (STEPS[currency] ?? 1) === 0

/** Rounds down to an amount that a card can be charged. */
export function floorToCardAmount({ minor, currency }: Money): Money {
  const step = STEPS[currency] ?? 1
  return { minor: Math.floor(minor / step) * step, currency }
}
