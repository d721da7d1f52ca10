import { DAY_MS } from '../../lib/time/durations.ts'
import type { VendorDriftStore } from '../store/vendor-drifts.ts'
import type { AttentionSource } from './attention.ts'

export const DRIFT_SHOWN_MS = 7 * DAY_MS
const PATHS_SHOWN = 10

const WORDS: Readonly<Record<string, string>> = {
  new_field: 'new field',
  vanished_field: 'vanished field',
  changed_type: 'changed type',
  new_value: 'new value of an enumeration',
}

/** Vendors whose responses have changed within a week. */
export const driftSource =
  (store: Pick<VendorDriftStore, 'drifts'>): AttentionSource =>
  async (now, limit) => {
    const drifts = await store.drifts(now - DRIFT_SHOWN_MS)
    const groups = Map.groupBy(drifts, ({ vendor_id, operation }) => `${vendor_id}.${operation}`)
    return [...groups].slice(0, limit).flatMap(([subject, found]) => {
      const [first, last] = [found[0], found.at(-1)]
      if (first === undefined || last === undefined) return []
      const { vendor_id: vendorId, operation } = first
      const shown = found.slice(0, PATHS_SHOWN).map(({ kind, path }) => `${WORDS[kind] ?? kind} ${path}`)
      const more = found.length > PATHS_SHOWN ? ` and ${found.length - PATHS_SHOWN} more` : ''
      return [
        {
          id: `vendor_drift.${subject}`,
          kind: 'vendor_drift' as const,
          since: first.seen_at,
          worsenedAt: last.seen_at,
          title: `The responses of ${vendorId} to ${operation} have changed`,
          whatHappened: `${shown.join('; ')}${more}.`,
          whatToDo: 'Compare with the vendor’s announcements, and check if offers or bookings lack something.',
          action: 'open_vendor' as const,
          vendorId,
        },
      ]
    })
  }
