import { sql } from 'kysely'
import type { OnMove } from '../../booking/store/moves.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import { soldBooking } from '../../domain/booking/sold.ts'
import { type MailContent, mailKindOf, type OperatorNote } from '../../domain/mail.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../../lib/crypto/seal.ts'
import { DELETED_AT_ONCE } from '../../store/at-once.ts'
import type { Database, Tx } from '../../store/database.ts'
import { prepare } from '../../store/prepared.ts'
import type { MailRow } from '../../store/tables/mail.ts'

export const MAIL_CONTENT = 'mal1'

/** A mail that is to be sent. */
export type DueMail = {
  readonly bookingId: string
  readonly sequence: number
  readonly createdAt: number
  /** This one included. */
  readonly attempts: number
  /** Undefined when the key it was sealed with has been dropped: it cannot be sent any more. */
  readonly content: MailContent | OperatorNote | undefined
}

/** A mail as it is looked at in development. */
type KeptMail = { readonly outcome: string; readonly content: MailContent | OperatorNote }

export type MailStore = ReturnType<typeof createMailStore>

/** `send`: to be sent. `keep`: only to be read here. */
export type MailPurpose = 'send' | 'keep' | undefined

/**
 * Writes mails in the booking's own transaction, wherever `purposeOf` has a use for them: to the guest, and about a
 * discrepancy also to the operator where `tellsOperator`.
 */
export function createMailQueue(
  keyring: Keyring,
  purposeOf: (booking: Booking) => MailPurpose,
  { tellsOperator = false } = {},
): OnMove {
  const insert = prepare((tx: Tx, row: MailRow) => tx.insertInto('mails').values(row))
  return async function queueMail(tx, booking, event) {
    const purpose = purposeOf(booking)
    if (purpose === undefined) return
    const { sequence, from, at, reason } = event
    const add = (content: MailContent | OperatorNote) =>
      insert(tx, {
        booking_id: booking.bookingId,
        sequence: content.event.sequence,
        kind: content.kind,
        content: sealJson(keyring, MAIL_CONTENT, content),
        created_at: at,
        due_at: purpose === 'send' ? at : null,
        lease_until: 0,
        attempts: 0,
        outcome: purpose === 'send' ? null : 'kept',
        error: null,
      })
    const kind = mailKindOf(event)
    if (kind !== undefined && booking.persons.contact.email !== '')
      await add({ kind, booking: soldBooking(booking), event: { sequence, from, at, reason } })
    if (tellsOperator && event.kind === 'discrepancy')
      await add({
        kind: OPERATOR_NOTE,
        booking: soldBooking(booking),
        event: { sequence: -sequence, from, at, reason },
      })
  }
}

const OPERATOR_NOTE = 'operator_note'
/** They tell what later mails do not repeat, so they make none superfluous. */
const NOTES = ['changed', OPERATOR_NOTE]

/** True where a later mail to the guest says what holds now. The operator gets every note. */
export function isOvertaken(mail: 'mails' | 'mail') {
  const [booking, sequence, kind] = [
    sql.ref(`${mail}.booking_id`),
    sql.ref(`${mail}.sequence`),
    sql.ref(`${mail}.kind`),
  ]
  return sql<boolean>`(${kind} <> ${OPERATOR_NOTE} and exists (select 1 from mails as later
    where later.booking_id = ${booking} and later.sequence > ${sequence} and later.kind not in (${sql.join(NOTES)})
    and (${kind} <> 'changed' or later.kind <> 'confirmation_number')))`
}

/** Mails on their way. `keepSent`: what was sent stays readable until it is deleted, for development. */
export function createMailStore(database: Database, keyring: Keyring, { keepSent }: { readonly keepSent: boolean }) {
  return {
    /**
     * Takes due mails for `leaseMs`; of any number of processes one gets each. A mail is not sent while an earlier one of
     * its booking is being sent, and not at all when a later one says what holds now. The operator gets every note.
     */
    claimDue: (now: number, leaseMs: number, most: number): Promise<DueMail[]> =>
      database.write(async (tx) => {
        const rows = await dueRows(tx, now, most)
        const current = rows.filter(({ overtaken }) => Number(overtaken) === 0)
        for (const row of rows.filter((one) => !current.includes(one))) {
          await update(tx, row, { due_at: null, outcome: 'superseded', content: null })
        }
        for (const row of current) await update(tx, row, { lease_until: now + leaseMs, attempts: row.attempts + 1 })
        return current.map((row) => fromRow(row, keyring))
      }),

    /** Counts even when the lease has passed to another process: it was sent. */
    sent: (mail: DueMail): Promise<void> =>
      database.write(async (tx) => {
        const facts = { due_at: null, outcome: 'sent', error: null, ...(keepSent ? {} : { content: null }) }
        await update(tx, { booking_id: mail.bookingId, sequence: mail.sequence }, facts)
      }),

    /** To be tried again at `dueAt`, unless another process has taken it over. `error` is a code, never a text. */
    postpone: (mail: DueMail, dueAt: number, error: string): Promise<void> =>
      database.write((tx) => updateIfOurs(tx, mail, { due_at: dueAt, lease_until: 0, error })),

    giveUp: (mail: DueMail, error: string): Promise<void> =>
      database.write((tx) => updateIfOurs(tx, mail, { due_at: null, outcome: 'failed', error })),

    /** Some of them, whatever became of them; returns how many. */
    deleteOld: (before: number): Promise<number> =>
      database.write(async (tx) => {
        const { rows } = await sql`delete from mails where (booking_id, sequence) in (
          select booking_id, sequence from mails where created_at < ${before} order by created_at limit ${DELETED_AT_ONCE})
          returning sequence`.execute(tx)
        return rows.length
      }),

    /** The newest first; only those whose content is still there. */
    async recent(most: number): Promise<KeptMail[]> {
      const rows = await database.read
        .selectFrom('mails')
        .selectAll()
        .where('content', 'is not', null)
        .orderBy('created_at', 'desc')
        .orderBy('sequence', 'desc')
        .limit(most)
        .execute()
      return rows.flatMap((row) => {
        const { content } = fromRow(row, keyring)
        return content === undefined ? [] : [{ outcome: row.outcome ?? 'waiting', content }]
      })
    },
  }
}

function dueRows(tx: Tx, now: number, most: number) {
  return tx
    .selectFrom('mails as mail')
    .selectAll('mail')
    .select(sql<number>`case when ${isOvertaken('mail')} then 1 else 0 end`.as('overtaken'))
    .where('mail.due_at', '<=', now)
    .where('mail.lease_until', '<=', now)
    .where((where) => {
      const busy = where
        .selectFrom('mails as earlier')
        .select('earlier.sequence')
        .whereRef('earlier.booking_id', '=', 'mail.booking_id')
        .whereRef('earlier.sequence', '<', 'mail.sequence')
        .where('earlier.due_at', 'is not', null)
        .where('earlier.lease_until', '>', now)
      return where.not(where.exists(busy))
    })
    .orderBy('mail.due_at')
    .limit(most)
    .forUpdate('mail')
    .skipLocked()
    .execute()
}

type MailKey = Pick<MailRow, 'booking_id' | 'sequence'>

async function update(tx: Tx, { booking_id, sequence }: MailKey, facts: Partial<MailRow>): Promise<void> {
  await tx
    .updateTable('mails')
    .set(facts)
    .where('booking_id', '=', booking_id)
    .where('sequence', '=', sequence)
    .where('due_at', 'is not', null)
    .execute()
}

/** Each claim increments the attempts, so a process whose lease has passed to another changes nothing. */
async function updateIfOurs(tx: Tx, mail: DueMail, facts: Partial<MailRow>): Promise<void> {
  await tx
    .updateTable('mails')
    .set(facts)
    .where('booking_id', '=', mail.bookingId)
    .where('sequence', '=', mail.sequence)
    .where('attempts', '=', mail.attempts)
    .where('due_at', 'is not', null)
    .execute()
}

const fromRow = (row: MailRow, keyring: Keyring): DueMail => ({
  bookingId: row.booking_id,
  sequence: row.sequence,
  createdAt: row.created_at,
  attempts: row.attempts + 1,
  content: row.content === null ? undefined : openJson<MailContent | OperatorNote>(keyring, MAIL_CONTENT, row.content),
})
