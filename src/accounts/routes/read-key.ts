import type { Static } from 'typebox'
import { invalidRequest } from '../../domain/errors.ts'
import type { Budget } from '../../domain/money/budget.ts'
import { isCurrency } from '../../domain/money/currency.ts'
import { parseMoney } from '../../domain/money/money.ts'
import type { NewKeyOrder } from '../manage-keys.ts'
import type { BudgetRequest, KeyRequest } from '../schemas/api-keys.ts'

export function readKeyOrder({ name, mode, scopes, per_minute, budget }: Static<typeof KeyRequest>): NewKeyOrder {
  return {
    name: name.trim(),
    mode,
    scopes,
    perMinute: per_minute ?? undefined,
    budget: budget == null ? undefined : readBudget(budget),
  }
}

export function readBudget({ amount, currency, per }: Static<typeof BudgetRequest>): Budget {
  const limit = isCurrency(currency) ? parseMoney(amount, currency) : undefined
  if (limit !== undefined) return { limit, per }
  const [field, code, message] = isCurrency(currency)
    ? ['budget.amount', 'wrong_format', `budget.amount is too large or has too many decimals for ${currency}.`]
    : ['budget.currency', 'unknown_currency', 'budget.currency must be an ISO 4217 code such as EUR.']
  throw invalidRequest([{ field, code, message }])
}
