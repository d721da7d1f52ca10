import type { PaymentOperation } from '../../domain/payment/payment.ts'
import type { Tx } from '../../store/database.ts'
import { prepare, prepareInsert } from '../../store/prepared.ts'
import type { Tables } from '../../store/tables.ts'
import { openFile, type PaymentFile } from '../decide/payment-file.ts'
import { fileFromRows, paymentColumns, toOperationRow } from './rows.ts'

type Changed = ReturnType<typeof paymentColumns> & {
  readonly payment_id: string
  readonly seen: number
  readonly revision: number
  readonly updated_at: number
}

/** Returns no row if the payment has changed since it was read. */
const updateRow = prepare((tx: Tx, { payment_id, seen, ...columns }: Changed) =>
  tx
    .updateTable('payments')
    .set(columns)
    .where('payment_id', '=', payment_id)
    .where('revision', '=', seen)
    .returning('payment_id'),
)

const updateOperationRow = prepare((tx: Tx, { payment_id, number, ...columns }: Tables['payment_operations']) =>
  tx.updateTable('payment_operations').set(columns).where('payment_id', '=', payment_id).where('number', '=', number),
)

export const addOperations = prepareInsert('payment_operations')
const addEntries = prepareInsert('payment_entries')

/** Compare-and-set by the revision that was read. False if the payment has changed since. */
export async function saveFile(tx: Tx, before: PaymentFile, after: PaymentFile, at: number): Promise<boolean> {
  const { payment } = after
  const { paymentId } = payment
  const { revision: seen } = before.payment
  const columns = { ...paymentColumns(payment), revision: seen + 1, updated_at: at }
  const [row] = await updateRow(tx, { ...columns, payment_id: paymentId, seen })
  if (row === undefined) return false
  const known = new Set<PaymentOperation>(before.operations)
  const numbers = new Set(before.operations.map(({ number }) => number))
  const changed = after.operations.filter((operation) => !known.has(operation) && numbers.has(operation.number))
  // The open operation is unique, so the old one ends before the new one is added.
  for (const operation of changed) await updateOperationRow(tx, toOperationRow(paymentId, operation))
  const added = after.operations.filter(({ number }) => !numbers.has(number))
  if (added.length > 0)
    await addOperations(
      tx,
      added.map((operation) => toOperationRow(paymentId, operation)),
    )
  await saveEntries(tx, after)
  return true
}

/** The file after it was saved. */
export const savedFile = (before: PaymentFile, { payment, operations }: PaymentFile): PaymentFile =>
  openFile({ ...payment, revision: before.payment.revision + 1 }, operations)

async function saveEntries(tx: Tx, { payment: { paymentId }, newEntries }: PaymentFile): Promise<void> {
  if (newEntries.length === 0) return
  const last = await tx
    .selectFrom('payment_entries')
    .select(({ fn }) => fn.max('sequence').as('sequence'))
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()
  const rows = newEntries.map(({ kind, amount, operation, at }, index) => ({
    payment_id: paymentId,
    sequence: (last?.sequence ?? 0) + 1 + index,
    kind,
    amount_minor: amount,
    operation: operation ?? null,
    at,
  }))
  await addEntries(tx, rows)
}

/** Locks the payment until the transaction ends. */
export async function lockFile(tx: Tx, paymentId: string): Promise<PaymentFile | undefined> {
  const row = await tx
    .selectFrom('payments')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const operations = await tx
    .selectFrom('payment_operations')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('number')
    .execute()
  return fileFromRows(row, operations)
}
