import type { Static } from 'typebox'
import type { AppError } from '../../domain/errors.ts'
import { BudgetExceeded, renewsAt } from '../../domain/money/budget.ts'
import { type Money, toMajor } from '../../domain/money/money.ts'
import { moment, momentOrNull } from '../../http/present/moment.ts'
import type { ProblemMembers } from '../../http/problem.ts'
import type { KeyWithBudget } from '../manage-keys.ts'
import type { OpenSession } from '../open-sessions.ts'
import type { BudgetSchema, KeySchema, SessionSchema } from '../schemas/api-keys.ts'

export function presentKey(key: KeyWithBudget, now: number): Static<typeof KeySchema> {
  const { budget, left } = key
  return {
    id: key.id,
    hint: key.hint,
    name: key.name,
    mode: key.mode,
    scopes: [...key.scopes],
    per_minute: key.perMinute ?? null,
    budget: budget === undefined ? null : presentBudget(budget, left, renewsAt(budget.per, now)),
    created_at: moment(key.createdAt),
    last_used_at: momentOrNull(key.lastUsedAt),
  }
}

function presentBudget(
  { limit, per }: BudgetExceeded['budget'],
  left: Money | undefined,
  renews: number,
): Static<typeof BudgetSchema> {
  return {
    amount: toMajor(limit),
    currency: limit.currency,
    per,
    left: left === undefined ? null : toMajor(left),
    renews_at: moment(renews),
  }
}

export const presentSession = (session: OpenSession): Static<typeof SessionSchema> => ({
  id: session.id,
  kind: session.kind,
  created_at: moment(session.createdAt),
  expires_at: moment(session.expiresAt),
  current: session.isCurrent,
})

export const accountProblemMembers = (error: AppError): ProblemMembers =>
  error instanceof BudgetExceeded ? { budget: presentBudget(error.budget, error.left, error.renewsAt) } : {}
