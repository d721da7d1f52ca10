import { dateIn } from '../../lib/time/plain-date.ts'
import type { HistoryReader } from '../../store/history.ts'
import type { AttentionSource } from './attention.ts'

/** Bookings that the database may have lost. */
export const historySource =
  (history: Pick<HistoryReader, 'read'>): AttentionSource =>
  async () => {
    const { isBehind, changedAt, dataUntil, generation } = await history.read()
    if (!isBehind || changedAt === undefined) return []
    return [
      {
        id: `commits_lost.${generation}`,
        kind: 'commits_lost',
        since: changedAt,
        title: 'Bookings may be missing',
        whatHappened:
          'The database was restored, or another server took over. Every booking is looked up at its vendor before it is sent.',
        whatToDo: `Compare the bookings made since ${dateIn('UTC', dataUntil ?? changedAt)} with the vendors.`,
        action: 'open_reconciliation',
      },
    ]
  }
