import type { Booking } from '../api/shapes.ts'

/** The mail has arrived by then, unless it failed. */
const MAIL_MS = 3_600_000

/** True while the mail about the confirmation may still be on its way. Its link opens the same page later. */
export function wasJustConfirmed(
  { events = [], created_at }: Pick<Booking, 'events' | 'created_at'>,
  now = Date.now(),
): boolean {
  const confirmedAt = events.find(({ to }) => to === 'confirmed')?.at ?? created_at
  return now - Date.parse(confirmedAt) < MAIL_MS
}
