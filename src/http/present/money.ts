import { type Money, toMajor } from '../../domain/money/money.ts'

export const presentMoney = (money: Money) => ({ amount: toMajor(money), currency: money.currency })
