import { toDecimal } from '../../domain/money/money.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { isPlainDate } from '../../lib/time/plain-date.ts'
import { PAYMENT_RESOLUTIONS } from '../../payments/decide/resolve.ts'
import type { ManagePayments, PaymentRecords } from '../../payments/manage-payments.ts'
import type { ProviderProbe } from '../../payments/provider.ts'
import type { PaymentDifference } from '../../payments/reconcile-payments.ts'
import type { PaymentLists } from '../../payments/store/payment-lists.ts'
import { runWithAudit } from '../audited.ts'
import { type Command, print, sanitize, WrongArgument } from '../command.ts'
import { type ParsedCommand, readVerb } from '../read-verb.ts'
import { withApp } from '../with-app.ts'

type Deps = {
  readonly manage: Pick<ManagePayments, 'show' | 'look' | 'refund' | 'resolve'>
  readonly lists: Pick<PaymentLists, 'withReason' | 'stuck'>
  /** Undefined without a provider. */
  reconcile(period: { readonly from: number; readonly to: number }): Promise<readonly PaymentDifference[] | undefined>
  /** Undefined without a provider. */
  probe(): Promise<readonly ProviderProbe[] | undefined>
  now(): number
}

const USAGE = `serai payments check                            checks the provider's key, its permissions and the clock
serai payments list                             payments that need an operator
serai payments show ID                          a payment with its requests to the provider and its ledger
serai payments look ID                          asks the provider now
serai payments refund ID [AMOUNT] --reason TEXT refunds a captured payment, or a part of it
serai payments resolve ID TO --reason TEXT      ends a review: ${PAYMENT_RESOLUTIONS.join(', ')}
serai payments reconcile --from DATE            compares the payments made since DATE (YYYY-MM-DD) with the provider's
                                                list; prints nothing if they agree`

const VERBS = {
  check: '',
  list: '',
  show: 'ID',
  look: 'ID',
  refund: 'ID [AMOUNT] --reason',
  resolve: 'ID TO --reason',
  reconcile: '--from',
}

const LIST_MAX = 200
const STUCK_MS = 600_000

export const paymentsCommand: Command = {
  usage: USAGE,
  async run(args) {
    const order = parsePaymentsCommand(args)
    return withApp(({ operator: { audit, payments } }) =>
      runWithAudit(audit, 'payments', ['refund', 'resolve'], order, payments),
    )
  },
}

export function parsePaymentsCommand(args: string[]): ParsedCommand<Deps> {
  const { verb, words, values } = readVerb(args, VERBS, { reason: { type: 'string' }, from: { type: 'string' } })
  const [id = '', word] = words
  if ((verb === 'refund' || verb === 'resolve') && (values.reason ?? '').trim() === '')
    throw new WrongArgument('Pass --reason with why you do this. It is kept in the audit log.')
  const logged = values.reason === undefined ? words : [...words, values.reason]
  return { verb, words: logged, work: readWork(verb, id, word, values.from) }
}

function readWork(verb: keyof typeof VERBS, id: string, word: string | undefined, from: string | undefined) {
  const works: Record<typeof verb, () => (deps: Deps) => Promise<number>> = {
    check: () => check,
    list: () => list,
    show:
      () =>
      async ({ manage }) =>
        print(describe(await manage.show(id)), 0),
    look:
      () =>
      async ({ manage }) =>
        print(describe(await manage.look(id)), 0),
    refund() {
      const amount = word === undefined ? undefined : readAmount(word)
      return async ({ manage }) => print(describe(await manage.refund(id, amount)), 0)
    },
    resolve() {
      const to = PAYMENT_RESOLUTIONS.find((known) => known === word)
      if (to === undefined) throw new WrongArgument(`TO must be one of ${PAYMENT_RESOLUTIONS.join(', ')}.`)
      return async ({ manage }) => print(describe(await manage.resolve(id, to)), 0)
    },
    reconcile() {
      if (from === undefined || !isPlainDate(from))
        throw new WrongArgument('Pass --from with a date such as 2027-01-31.')
      return (deps) => reconcile(deps, Date.parse(from))
    },
  }
  return works[verb]()
}

function readAmount(text: string): number {
  const amount = Number(text)
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text) && amount > 0) return amount
  throw new WrongArgument('AMOUNT must be a positive decimal, such as 25.50.')
}

/** Prints failed checks to standard output too: they are results of this command. */
async function check({ probe }: Deps): Promise<number> {
  const probes = await probe()
  if (probes === undefined) return print('No payment provider is configured.', 1)
  for (const { check: name, isOk, detail = '' } of probes)
    console.log(`${isOk ? '✓' : '✗'} ${name}  ${sanitize(detail)}`.trimEnd())
  const failed = probes.filter(({ isOk }) => !isOk).length
  console.log(failed === 0 ? 'All checks passed.' : `${failed} ${failed === 1 ? 'check' : 'checks'} failed.`)
  return failed === 0 ? 0 : 1
}

async function list({ lists, now }: Deps): Promise<number> {
  const open = [...(await lists.withReason(LIST_MAX)), ...(await lists.stuck(now() - STUCK_MS, LIST_MAX))]
  if (open.length === 0) return print('No payment needs an operator.', 0)
  return print(open.map(describeLine).join('\n'), 0)
}

const inCurrency = (minor: number, { currency }: Payment) => `${toDecimal({ minor, currency })} ${currency}`

const describeLine = (payment: Payment) =>
  [
    payment.paymentId,
    payment.state,
    payment.reason ?? '-',
    inCurrency(payment.amount, payment),
    payment.bookingId ?? '-',
  ]
    .map(sanitize)
    .join('  ')

function describe({ payment, operations, entries }: PaymentRecords): string {
  const { authorised, captured, refunded, owed, reference = 'none' } = payment
  const amounts = [
    ...[`authorised ${inCurrency(authorised, payment)}`, `captured ${inCurrency(captured, payment)}`],
    ...[`refunded ${inCurrency(refunded, payment)}`, `owed ${owed === undefined ? '-' : inCurrency(owed, payment)}`],
  ]
  return [
    describeLine(payment),
    `reference ${sanitize(reference)}`,
    amounts.join(', '),
    ...operations.map(
      ({ number, kind, amount, state, attempts, error = '' }) =>
        `  ${number}  ${kind}  ${inCurrency(amount, payment)}  ${state}  sent ${attempts} times  ${sanitize(error)}`,
    ),
    ...entries.map(
      ({ kind, amount, at }) => `  ${new Date(at).toISOString()}  ${kind}  ${inCurrency(amount, payment)}`,
    ),
  ].join('\n')
}

async function reconcile({ reconcile: compare, now }: Deps, from: number): Promise<number> {
  const differences = await compare({ from, to: now() + DAY_MS })
  if (differences === undefined) return print('No payment provider is configured.', 1)
  for (const { reference = '-', paymentId = '-', ours, theirs } of differences)
    console.log(`${sanitize(reference)}  ${sanitize(paymentId)}  here: ${ours}, there: ${theirs}`)
  return differences.length === 0 ? 0 : 1
}
