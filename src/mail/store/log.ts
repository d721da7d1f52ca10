import { sql } from 'kysely'
import type { MailContent } from '../../domain/mail.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { sealJson } from '../../lib/crypto/seal.ts'
import type { Database, ReadOnly, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { putTask } from '../../store/tasks.ts'
import { isSuperseded, MAIL_CONTENT, type MailPurpose, mailSubject } from './mails.ts'

/** Without the content. */
export type MailRecord = {
  readonly bookingId: string
  readonly sequence: number
  readonly kind: string
  readonly createdAt: number
  readonly dueAt: number | undefined
  readonly attempts: number
  /** `waiting` until known. */
  readonly outcome: string
  readonly error: string | undefined
}

const NOT_SUPERSEDED = sql<boolean>`not ${isSuperseded('mails')}`

export type MailLog = ReturnType<typeof createMailLog>

/** Results of mails, and resending them. */
export function createMailLog(database: Database, keyring: Keyring) {
  return {
    async ofBooking(bookingId: string): Promise<MailRecord[]> {
      const rows = await database.read
        .selectFrom('mails')
        .select(RECORD_COLUMNS)
        .where('booking_id', '=', bookingId)
        .orderBy('created_at')
        .execute()
      const dueAt = await dueTimes(database.read, rows)
      return rows.map((row) => ({
        ...toRecord(row),
        dueAt: row.outcome === null ? dueAt.get(mailSubject(bookingId, row.sequence)) : undefined,
      }))
    },

    /** Failed mails that no later mail has superseded, oldest first. */
    async givenUp(limit: number): Promise<MailRecord[]> {
      const rows = await database.read
        .selectFrom('mails')
        .select(RECORD_COLUMNS)
        .where('outcome', '=', 'failed')
        .where(NOT_SUPERSEDED)
        .orderBy('created_at')
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },

    /** Resends a failed mail unchanged. False if it is gone or a later mail has replaced it. */
    retry: (bookingId: string, sequence: number, now: number): Promise<boolean> =>
      database.write(async (tx) => {
        const changed = await tx
          .updateTable('mails')
          .set({ attempts: 0, outcome: null, error: null, created_at: now })
          .where('booking_id', '=', bookingId)
          .where('sequence', '=', sequence)
          .where('outcome', '=', 'failed')
          .where('content', 'is not', null)
          .where(NOT_SUPERSEDED)
          .returning('sequence')
          .execute()
        const subject = mailSubject(bookingId, sequence)
        if (changed.length > 0) await putTask(tx, { kind: 'mail', subject, dueAt: now })
        return changed.length > 0
      }),

    /** Queues a mail, replacing the one about the same event. One that is still waiting is sent immediately instead. */
    add: (content: MailContent, purpose: NonNullable<MailPurpose>, now: number): Promise<void> =>
      database.write((tx) => add(tx, keyring, content, purpose, now)),
  }
}

async function add(
  tx: Tx,
  keyring: Keyring,
  content: MailContent,
  purpose: NonNullable<MailPurpose>,
  now: number,
): Promise<void> {
  const { booking, event } = content
  const subject = mailSubject(booking.bookingId, event.sequence)
  // Locks the task first, as claims do, to avoid deadlocks.
  if (purpose === 'send') await putTask(tx, { kind: 'mail', subject, dueAt: now })
  const facts = {
    kind: content.kind,
    content: sealJson(keyring, MAIL_CONTENT, content),
    created_at: now,
    attempts: 0,
    outcome: purpose === 'send' ? null : 'kept',
    error: null,
  }
  await tx
    .insertInto('mails')
    .values({ booking_id: booking.bookingId, sequence: event.sequence, ...facts })
    .onConflict((conflict) =>
      conflict.columns(['booking_id', 'sequence']).doUpdateSet(facts).where('mails.outcome', 'is not', null),
    )
    .execute()
}

/** Time of the next attempt by task subject. */
async function dueTimes(db: ReadOnly, rows: readonly Pick<Tables['mails'], 'booking_id' | 'sequence'>[]) {
  const subjects = rows.map((row) => mailSubject(row.booking_id, row.sequence))
  const tasks = db.selectFrom('tasks').select(['subject', 'due_at']).where('kind', '=', 'mail')
  const due = await tasks.where('subject', 'in', ['', ...subjects]).execute()
  return new Map(due.map((task) => [task.subject, task.due_at]))
}

const RECORD_COLUMNS = [
  'booking_id',
  'sequence',
  'kind',
  'created_at',
  'attempts',
  'outcome',
  'error',
] as const satisfies readonly (keyof Tables['mails'])[]

const toRecord = (row: Pick<Tables['mails'], (typeof RECORD_COLUMNS)[number]>): MailRecord => ({
  bookingId: row.booking_id,
  sequence: row.sequence,
  kind: row.kind,
  createdAt: row.created_at,
  dueAt: undefined,
  attempts: row.attempts,
  outcome: row.outcome ?? 'waiting',
  error: row.error ?? undefined,
})
