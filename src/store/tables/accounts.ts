import type { KeyMode } from '../../domain/access.ts'
import type { Actor } from '../../domain/actor.ts'
import type { BudgetPeriod } from '../../domain/money/budget.ts'

/** Rows of what belongs to accounts; see tables.ts for how values are written. */

export type ApiKeyRow = {
  id: string
  account_id: string
  /** SHA-256 of the key, hex. The key itself is shown once and stored nowhere. */
  hash: string
  /** How the key begins and ends, so that its owner can tell it. */
  hint: string
  name: string
  mode: KeyMode
  /** Separated by spaces. */
  scopes: string
  /** Its own allowance; null where only the account's counts. */
  per_minute: number | null
  /** The three are null where the key has no budget. */
  budget_minor: number | null
  budget_currency: string | null
  budget_per: BudgetPeriod | null
  created_at: number
  /** Written rarely, so it may be some minutes old. */
  last_used_at: number | null
  revoked_at: number | null
}

/** What a booking has taken from the budget of the key that made it. */
export type KeySpendingRow = {
  booking_id: string
  key_id: string
  /** Of UTC, on which it was made. */
  day: string
  /** Of the budget at that time, or of the booking where there was none. */
  currency: string
  /** What it took at first, and what of that has not been given back. */
  spent_minor: number
  kept_minor: number
}

/** Something that an operator has done. */
export type AuditRow = {
  id: string
  at: number
  actor_kind: Actor['kind']
  actor_id: string
  action: string
  /** What it was done to; never personal. */
  subject: string
  request_id: string | null
  /** Null while it is not known how it ended. */
  outcome: string | null
  /** As the operator gave it; null where none was asked for. */
  reason: string | null
}

/** A session of the page. `owner_id`: an account, or a guest who has none. */
export type PageSessionRow = {
  hash: string
  owner_id: string
  is_guest: number
  created_at: number
  expires_at: number
}

/** Whose searches, offers and bookings a guest's have become. */
export type GuestTakeoverRow = { guest_id: string; account_id: string; taken_at: number }
