import { type Payment, UNCLAIMED_STATES } from '../../domain/payment/payment.ts'
import { hasIdShape } from '../../lib/crypto/ids.ts'
import type { Database, ReadOnly, Tx } from '../../store/database.ts'
import { claimTasks, finishTask, postponeTask, putTask, type Task } from '../../store/tasks.ts'
import type { PaymentFile } from '../decide/payment-file.ts'
import { fileFromRows, hashKey, paymentFromRow, toOperationRow, toPaymentRow } from './rows.ts'
import { addOperations, savedFile, saveFile } from './save-file.ts'

/** Tells the booking what has happened to its payment, in the same transaction. */
export type TellBooking = {
  lock(tx: Tx, bookingId: string): Promise<void>
  /** Also renews the booking's time of change, which its clients poll for. */
  tell(tx: Tx, bookingId: string, file: PaymentFile, at: number): Promise<void>
}

export type PaymentStore = ReturnType<typeof createPaymentStore>

/** `hasKey`: made with the key of the request, not only for its offer. */
export type EarlierPayment = { readonly payment: Payment; readonly hasKey: boolean }

export type NotificationNote = {
  readonly provider: string
  readonly eventId: string
  readonly type: string
  readonly objectId: string
}

export type Saving = {
  readonly at: number
  /** When the job looks at it next; undefined: at rest, or the job is at work. */
  readonly dueAt: number | undefined
}

const LEASE_MS = 60_000

export const createPaymentStore = (database: Database, booking: TellBooking) => ({
  ...paymentReads(database),
  ...paymentTasks(database),

  /** False if the account has a payment with this key, or an open one for this offer. */
  add: (file: PaymentFile, idempotencyKey: string | undefined, dueAt: number): Promise<boolean> =>
    database.write(async (tx) => {
      const { payment, operations } = file
      const added = await tx
        .insertInto('payments')
        .values(toPaymentRow(payment, idempotencyKey))
        .onConflict((conflict) => conflict.doNothing())
        .returning('payment_id')
        .executeTakeFirst()
      if (added === undefined) return false
      await addOperations(
        tx,
        operations.map((operation) => toOperationRow(payment.paymentId, operation)),
      )
      await putTask(tx, paymentTask(file, dueAt))
      return true
    }),

  /** Saves a decision. Undefined if the payment has changed since it was read. */
  async save(before: PaymentFile, after: PaymentFile, saving: Saving): Promise<PaymentFile | undefined> {
    const isSaved = await database.write((tx) => savePayment(booking, tx, before, after, saving))
    return isSaved ? savedFile(before, after) : undefined
  },

  /** Frees the key of a payment that the provider certainly does not have, so that the request may be repeated. */
  forgetKey: (paymentId: string): Promise<void> =>
    database.write(async (tx) => {
      await tx.updateTable('payments').set({ idempotency_key: null }).where('payment_id', '=', paymentId).execute()
    }),

  noteNotification: ({ provider, eventId, type, objectId }: NotificationNote, at: number): Promise<void> =>
    database.write(async (tx) => {
      const row = { provider, event_id: eventId, type, object_id: objectId, received_at: at }
      await tx
        .insertInto('payment_events_seen')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }),

  deleteOldNotifications: async (before: number): Promise<number> =>
    database.write(async (tx) => {
      const deleted = tx.deleteFrom('payment_events_seen').where('received_at', '<', before)
      return Number((await deleted.executeTakeFirst()).numDeletedRows)
    }),
})

const paymentReads = ({ read }: Database) => ({
  read: (paymentId: string): Promise<PaymentFile | undefined> => readFile(read, paymentId),

  async readMany(paymentIds: readonly string[]): Promise<Payment[]> {
    if (paymentIds.length === 0) return []
    const rows = await read
      .selectFrom('payments')
      .selectAll()
      .where('payment_id', 'in', [...paymentIds])
      .execute()
    return rows.map(paymentFromRow)
  },

  /** Payment made with this key, or else the open one for this offer. */
  async earlier(
    accountId: string,
    idempotencyKey: string | undefined,
    offerId: string,
  ): Promise<EarlierPayment | undefined> {
    const own = read.selectFrom('payments').selectAll().where('account_id', '=', accountId)
    if (idempotencyKey !== undefined) {
      const row = await own.where('idempotency_key', '=', hashKey(idempotencyKey)).executeTakeFirst()
      if (row !== undefined) return { payment: paymentFromRow(row), hasKey: true }
    }
    const row = await own.where('offer_id', '=', offerId).where('state', 'in', UNCLAIMED).executeTakeFirst()
    return row && { payment: paymentFromRow(row), hasKey: false }
  },

  /** Other payments for the room that no booking has claimed. */
  async unclaimed({ lineage, accountId, paymentId }: Payment): Promise<string[]> {
    const rows = await read
      .selectFrom('payments')
      .select('payment_id')
      .where('lineage', '=', lineage)
      .where('account_id', '=', accountId)
      .where('payment_id', '<>', paymentId)
      .where('state', 'in', UNCLAIMED)
      .execute()
    return rows.map(({ payment_id }) => payment_id)
  },
})

const paymentTasks = (database: Database) => ({
  claimDue: (now: number, most: number): Promise<Task[]> =>
    database.write((tx) => claimTasks(tx, { kind: 'payment', now, leaseMs: LEASE_MS, most })),

  /** Ends the claim of the job. */
  release: (task: Task, dueAt: number | undefined, failed = false): Promise<boolean> =>
    database.write((tx) => (dueAt === undefined ? finishTask(tx, task) : postponeTask(tx, task, dueAt, { failed }))),

  /** A notification makes the payments due. Returns the number of known ones. */
  prompt: (provider: string, references: readonly string[], now: number): Promise<number> =>
    database.write(async (tx) => {
      if (references.length === 0) return 0
      const rows = await tx
        .selectFrom('payments')
        .select('payment_id')
        .where('provider', '=', provider)
        .where('provider_reference', 'in', [...references])
        .execute()
      for (const { payment_id: subject } of rows)
        await putTask(tx, { kind: 'payment', subject, key: provider, dueAt: now })
      return rows.length
    }),
})

const UNCLAIMED = [...UNCLAIMED_STATES]

async function readFile(db: ReadOnly, paymentId: string): Promise<PaymentFile | undefined> {
  if (!hasIdShape(paymentId)) return undefined
  const row = await db.selectFrom('payments').selectAll().where('payment_id', '=', paymentId).executeTakeFirst()
  if (row === undefined) return undefined
  const operations = await db
    .selectFrom('payment_operations')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('number')
    .execute()
  return fileFromRows(row, operations)
}

const paymentTask = ({ payment }: PaymentFile, dueAt: number) =>
  ({ kind: 'payment', subject: payment.paymentId, key: payment.provider, dueAt }) as const

/** True if the booking's clients see the change. */
const isShown = ({ payment: before }: PaymentFile, { payment: after, news }: PaymentFile): boolean =>
  news.length > 0 ||
  before.state !== after.state ||
  before.captured !== after.captured ||
  before.refunded !== after.refunded ||
  before.refundPending !== after.refundPending

/** Transactions lock booking, payment and task in this order. */
async function savePayment(
  booking: TellBooking,
  tx: Tx,
  before: PaymentFile,
  after: PaymentFile,
  { at, dueAt }: Saving,
): Promise<boolean> {
  const toldId = isShown(before, after) ? after.payment.bookingId : undefined
  if (toldId !== undefined) await booking.lock(tx, toldId)
  if (!(await saveFile(tx, before, after, at))) return false
  if (toldId !== undefined) await booking.tell(tx, toldId, after, at)
  if (dueAt !== undefined) await putTask(tx, paymentTask(after, dueAt))
  return true
}
