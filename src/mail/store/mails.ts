import { sql } from 'kysely'
import type { OnMove } from '../../booking/store/moves.ts'
import { soldBooking } from '../../domain/booking/apply-sale.ts'
import type { Booking, BookingEvent } from '../../domain/booking/booking.ts'
import { type MailContent, mailKindForEvent, type OperatorNote } from '../../domain/mail.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../../lib/crypto/seal.ts'
import { DELETED_AT_ONCE } from '../../store/batches.ts'
import type { Database, Tx } from '../../store/database.ts'
import { prepare } from '../../store/prepared.ts'
import type { Tables } from '../../store/tables.ts'
import {
  claimTasks,
  continueTask,
  finishTask,
  lockTask,
  postponeTask,
  putTask,
  type Task,
  type TaskClaim,
} from '../../store/tasks.ts'

export const MAIL_CONTENT = 'mal1'

export type DueMail = {
  readonly task: Task
  readonly bookingId: string
  readonly sequence: number
  readonly createdAt: number
  /** Including this one. */
  readonly attempts: number
  /** Undefined if its encryption key was dropped; the mail cannot be sent. */
  readonly content: MailContent | OperatorNote | undefined
}

type KeptMail = { readonly outcome: string; readonly content: MailContent | OperatorNote }

export type MailStore = ReturnType<typeof createMailStore>

/** One task sends the mails of a booking to the guest in order, another one those to the operator. */
export const mailSubject = (bookingId: string, sequence: number) => (sequence < 0 ? `operator ${bookingId}` : bookingId)

/** `keep`: stored only for reading in development. */
export type MailPurpose = 'send' | 'keep' | undefined

/** Queues mails to the guest and, if `tellsOperator`, about discrepancies and payments to the operator. */
export function createMailQueue(
  keyring: Keyring,
  choosePurpose: (booking: Booking) => MailPurpose,
  { tellsOperator = false } = {},
): OnMove {
  const insert = prepare((tx: Tx, row: Tables['mails']) => tx.insertInto('mails').values(row))
  return async function queueMail(tx, booking, event) {
    const purpose = choosePurpose(booking)
    if (purpose === undefined) return
    const { sequence, from, at, reason, payment } = event
    const refunded = payment && { refunded: { minor: payment.refunded, currency: payment.currency } }
    const { bookingId } = booking
    const add = async (content: MailContent | OperatorNote) => {
      await insert(tx, {
        booking_id: bookingId,
        sequence: content.event.sequence,
        kind: content.kind,
        content: sealJson(keyring, MAIL_CONTENT, content),
        created_at: at,
        attempts: 0,
        outcome: purpose === 'send' ? null : 'kept',
        error: null,
      })
      const subject = mailSubject(bookingId, content.event.sequence)
      if (purpose === 'send') await putTask(tx, { kind: 'mail', subject, dueAt: at })
    }
    const kind = mailKindForEvent(event)
    if (kind !== undefined && booking.persons.contact.email !== '')
      await add({ kind, booking: soldBooking(booking), event: { sequence, from, at, reason, ...refunded } })
    if (tellsOperator && CONCERNS_OPERATOR.includes(event.kind))
      await add({
        kind: OPERATOR_NOTE,
        booking: soldBooking(booking),
        event: { sequence: -sequence, from, at, reason: reason ?? event.kind },
      })
  }
}

const CONCERNS_OPERATOR: readonly BookingEvent['kind'][] = ['discrepancy', 'payment_needs_review', 'payment_disputed']

const OPERATOR_NOTE = 'operator_note'
/** Later mails do not repeat their content, so they supersede none. */
const NOTES = ['changed', 'link', 'refunded', OPERATOR_NOTE]

/** True if a later mail to the guest reports the current status. Notes to the operator are never superseded. */
export function isSuperseded(mail: 'mails' | 'mail') {
  const [booking, sequence, kind] = [
    sql.ref(`${mail}.booking_id`),
    sql.ref(`${mail}.sequence`),
    sql.ref(`${mail}.kind`),
  ]
  return sql<boolean>`(${kind} <> ${OPERATOR_NOTE} and exists (select 1 from mails as later
    where later.booking_id = ${booking} and later.sequence > ${sequence} and later.kind not in (${sql.join(NOTES)})
    and (${kind} <> 'changed' or later.kind <> 'confirmation_number')))`
}

/** `keepSent` keeps the content of sent mails readable for development. */
export function createMailStore(database: Database, keyring: Keyring, { keepSent }: { readonly keepSent: boolean }) {
  return {
    /** Claims the next mail of each booking that has one due, and skips superseded ones. */
    claimDue: (now: number, leaseMs: number, most: number): Promise<DueMail[]> =>
      database.write((tx) => claimNext(tx, keyring, { now, leaseMs, most })),

    /** Recorded even if the lease was lost: the mail was sent. */
    sent: (mail: DueMail): Promise<void> =>
      database.write(async (tx) => {
        // Locks the task first, as claims do, to avoid deadlocks.
        await lockTask(tx, mail.task)
        await update(tx, mail, { outcome: 'sent', error: null, ...(keepSent ? {} : { content: null }) })
        await sendNext(tx, mail.task)
      }),

    /** Retries at `dueAt` unless another process took over. `error` is a code, never a text. */
    postpone: (mail: DueMail, dueAt: number, error: string): Promise<void> =>
      database.write(async (tx) => {
        if (await postponeTask(tx, mail.task, dueAt, { failed: true })) await update(tx, mail, { error })
      }),

    giveUp: (mail: DueMail, error: string): Promise<void> =>
      database.write(async (tx) => {
        if (!(await lockTask(tx, mail.task))) return
        await update(tx, mail, { outcome: 'failed', error })
        await sendNext(tx, mail.task)
      }),

    /** Deletes a batch in any state and returns its size. */
    deleteOld: (before: number): Promise<number> =>
      database.write(async (tx) => {
        const { rows } = await sql`delete from mails where (booking_id, sequence) in (
          select booking_id, sequence from mails where created_at < ${before} order by created_at limit ${DELETED_AT_ONCE})
          returning sequence`.execute(tx)
        if (rows.length < DELETED_AT_ONCE)
          await tx.deleteFrom('tasks').where('kind', '=', 'mail').where('since', '<', before).execute()
        return rows.length
      }),

    /** Newest first; only mails whose content still exists. */
    async recent(limit: number): Promise<KeptMail[]> {
      const rows = await database.read
        .selectFrom('mails')
        .selectAll()
        .where('content', 'is not', null)
        .orderBy('created_at', 'desc')
        .orderBy('sequence', 'desc')
        .limit(limit)
        .execute()
      return rows.flatMap((row) => {
        const content = openContent(row, keyring)
        return content === undefined ? [] : [{ outcome: row.outcome ?? 'waiting', content }]
      })
    },
  }
}

const subjectColumn = sql<string>`case when mail.sequence < 0 then 'operator ' || mail.booking_id else mail.booking_id end`

const waiting = (tx: Tx, subject: string) =>
  tx
    .selectFrom('mails as mail')
    .where('mail.booking_id', '=', subject.replace('operator ', ''))
    .where(subjectColumn, '=', subject)
    .where('mail.outcome', 'is', null)

async function claimNext(tx: Tx, keyring: Keyring, claim: Pick<TaskClaim, 'now' | 'leaseMs' | 'most'>) {
  const mails: DueMail[] = []
  for (const task of await claimTasks(tx, { kind: 'mail', ...claim })) {
    const row = await nextRow(tx, task.subject)
    if (row === undefined) await finishTask(tx, task)
    else mails.push(fromRow(row, task, keyring))
  }
  return mails
}

/** Returns the next mail to send, and marks superseded ones. */
async function nextRow(tx: Tx, subject: string): Promise<Tables['mails'] | undefined> {
  const rows = await waiting(tx, subject)
    .selectAll('mail')
    .select(sql<number>`case when ${isSuperseded('mail')} then 1 else 0 end`.as('overtaken'))
    .orderBy('mail.sequence')
    .execute()
  for (const { overtaken, ...row } of rows) {
    if (Number(overtaken) === 0) {
      const attempts = row.attempts + 1
      await update(tx, { bookingId: row.booking_id, sequence: row.sequence }, { attempts })
      return { ...row, attempts }
    }
    const facts = { outcome: 'superseded', content: null }
    await update(tx, { bookingId: row.booking_id, sequence: row.sequence }, facts)
  }
  return undefined
}

async function sendNext(tx: Tx, task: Task): Promise<void> {
  const more = await waiting(tx, task.subject).select('mail.sequence').executeTakeFirst()
  await continueTask(tx, task, more !== undefined)
}

async function update(
  tx: Tx,
  { bookingId, sequence }: Pick<DueMail, 'bookingId' | 'sequence'>,
  facts: Partial<Tables['mails']>,
): Promise<void> {
  await tx
    .updateTable('mails')
    .set(facts)
    .where('booking_id', '=', bookingId)
    .where('sequence', '=', sequence)
    .where('outcome', 'is', null)
    .execute()
}

const fromRow = (row: Tables['mails'], task: Task, keyring: Keyring): DueMail => ({
  task,
  bookingId: row.booking_id,
  sequence: row.sequence,
  createdAt: row.created_at,
  attempts: row.attempts,
  content: openContent(row, keyring),
})

const openContent = ({ content }: Tables['mails'], keyring: Keyring) =>
  content === null ? undefined : openJson<MailContent | OperatorNote>(keyring, MAIL_CONTENT, content)
