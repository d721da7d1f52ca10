/** Row types of webhooks, as the database gives them; see tables.ts. */

export type WebhookRow = {
  id: string
  account_id: string
  /** Separated by spaces. */
  events: string
  /** Address, description and signing secret, encrypted: addresses often carry a token of the receiver's. */
  target: string
  created_at: number
  disabled_at: number | null
  /** Attempts that failed in a row. */
  failures: number
  /** Nothing is sent there before. */
  paused_until: number
}

/** One event on its way to one webhook; ordered by `sequence` within a booking. */
export type WebhookDeliveryRow = {
  webhook_id: string
  booking_id: string
  sequence: number
  payload: string
  created_at: number
  attempts: number
  /** Null: pending. */
  outcome: string | null
  /** When it was last sent again on request, and how many attempts had been made by then. */
  replayed_at: number | null
  attempts_before: number | null
}

/** One attempt of a delivery, and what came of it. */
export type WebhookAttemptRow = {
  webhook_id: string
  booking_id: string
  sequence: number
  attempt: number
  at: number
  took_ms: number
  status: number | null
  error: string | null
  /** The beginning of what the receiver answered, encrypted. */
  answer: string | null
}
