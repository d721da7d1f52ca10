import {
  canMovePayment,
  type Payment,
  type PaymentEntry,
  type PaymentEntryKind,
  type PaymentNews,
  type PaymentOperation,
  type PaymentOperationKind,
  type PaymentReason,
  type PaymentState,
} from '../../domain/payment/payment.ts'

/** A payment with its operations, and what a decision has added. The store saves it in one transaction. */
export type PaymentFile = {
  readonly payment: Payment
  /** In the order of their numbers. */
  readonly operations: readonly PaymentOperation[]
  readonly newEntries: readonly PaymentEntry[]
  readonly news: readonly PaymentNews[]
}

export const openFile = (payment: Payment, operations: readonly PaymentOperation[]): PaymentFile => ({
  ...{ payment, operations },
  ...{ newEntries: [], news: [] },
})

/** The operation that is planned or sent; there is at most one. */
export const openOperation = ({ operations }: PaymentFile): PaymentOperation | undefined =>
  operations.find(({ state }) => state === 'planned' || state === 'sent')

export const updatePayment = (file: PaymentFile, changed: Partial<Payment>): PaymentFile => ({
  ...file,
  payment: { ...file.payment, ...changed },
})

export function moveTo(file: PaymentFile, state: PaymentState, at: number): PaymentFile {
  const { state: from } = file.payment
  if (from === state) return file
  if (!canMovePayment(from, state)) throw new Error(`a payment cannot move from ${from} to ${state}`)
  return updatePayment(file, { state, stateSince: at })
}

export function review(file: PaymentFile, reason: PaymentReason, at: number): PaymentFile {
  if (file.payment.state === 'needs_review' && file.payment.reason === reason) return file
  const moved = updatePayment(moveTo(file, 'needs_review', at), { reason })
  return announce(moved, 'payment_needs_review')
}

export const announce = (file: PaymentFile, news: PaymentNews): PaymentFile =>
  file.news.includes(news) ? file : { ...file, news: [...file.news, news] }

export const addEntry = (
  file: PaymentFile,
  kind: PaymentEntryKind,
  amount: number,
  at: number,
  operation?: number,
): PaymentFile => (amount === 0 ? file : { ...file, newEntries: [...file.newEntries, { kind, amount, operation, at }] })

export const updateOperation = (
  file: PaymentFile,
  { number }: PaymentOperation,
  changed: Partial<PaymentOperation>,
): PaymentFile => ({
  ...file,
  operations: file.operations.map((known) => (known.number === number ? { ...known, ...changed } : known)),
})

export function planOperation(file: PaymentFile, kind: PaymentOperationKind, amount: number): PaymentFile {
  const { payment, operations } = file
  const count = operations.filter((known) => known.kind === kind).length + 1
  const planned: PaymentOperation = {
    ...{ number: operations.length + 1, kind, amount, state: 'planned', attempts: 0 },
    key: `${payment.paymentId}:${kind}${kind === 'refund' || count > 1 ? `:${count}` : ''}`,
    ...{ firstSentAt: undefined, lastSentAt: undefined, error: undefined },
  }
  return { ...file, operations: [...operations, planned] }
}

/** Takes back an operation that was never sent. */
export function withdrawPlanned(file: PaymentFile): PaymentFile {
  const open = openOperation(file)
  return open?.state === 'planned' ? updateOperation(file, open, { state: 'withdrawn' }) : file
}
