import type { Difference } from '../../booking/reconcile/find-differences.ts'
import type { Reconcile, Reconciliation } from '../../booking/reconcile/reconcile.ts'
import { moment } from '../../http/present/moment.ts'
import { isPlainDate } from '../../lib/time/plain-date.ts'
import { runWithAudit } from '../audited.ts'
import { type Command, print, sanitize, WrongArgument } from '../command.ts'
import { type ParsedCommand, readVerb } from '../read-verb.ts'
import { withApp } from '../with-app.ts'

type Deps = { readonly reconcile: Pick<Reconcile, 'report'> }

const USAGE = `serai bookings reconcile --from DATE [--end]
            compares the bookings made since DATE (YYYY-MM-DD) with the vendors' lists, after a restored backup or a
            failover of the database, and proposes what to adopt, to cancel or to review. Changes no booking. Until a
            complete run has nothing to adopt or to cancel, and for a day if a vendor has no list, every booking is looked
            up at its vendor before it is sent; --end ends that whatever is left. Carry a proposal out with
            serai api operator.reconciliation.carry_out or in the console.`

export const reconcileCommand: Command = {
  usage: USAGE,
  async run(args) {
    const order = parseBookingsCommand(args)
    return withApp(({ operator: { audit, reconcile } }) =>
      runWithAudit(audit, 'bookings', ['reconcile'], order, { reconcile }),
    )
  },
}

export function parseBookingsCommand(args: string[]): ParsedCommand<Deps> {
  const options = { from: { type: 'string' }, end: { type: 'boolean' } } as const
  const { verb, words, values } = readVerb(args, { reconcile: '--from --end' }, options)
  const { from = '', end } = values
  if (!isPlainDate(from)) throw new WrongArgument('Pass --from with a date such as 2027-01-31.')
  return { verb, words, work: async ({ reconcile }) => show(await reconcile.report(from, end)) }
}

function show({ isBehind, vendors, differences, ...rest }: Reconciliation): number {
  for (const { vendorId, status, listed } of vendors) console.log(`${vendorId}  ${STATUS[status](listed)}`)
  for (const difference of differences) console.log(describe(difference))
  if (!isBehind) return print(`${differences.length} differences.`, 0)
  const next = nextStep({ differences, ...rest })
  return print(
    `${differences.length} differences. Bookings are still looked up before they are sent: ${next}, or add --end.`,
    1,
  )
}

type Left = Pick<Reconciliation, 'from' | 'neededFrom' | 'repeatsEndAt' | 'differences'>

function nextStep({ from, neededFrom, repeatsEndAt, differences }: Left): string {
  if (neededFrom !== undefined && from > neededFrom) return `reconcile from ${neededFrom} on`
  if (repeatsEndAt === undefined || differences.some(({ proposal }) => proposal !== 'review'))
    return 'carry out the proposals and reconcile again'
  return `clients may repeat bookings at vendors without a list; reconcile again after ${moment(repeatsEndAt)}`
}

const STATUS = {
  listed: (count: number) => `${count} bookings listed`,
  no_list: (count: number) =>
    `has no list of bookings; ${count} that are confirmed here were found there, and unknown ones are found when they are repeated`,
  failed: () => 'did not answer; reconcile again later',
}

function describe({ proposal, vendorId, reference, bookingId, ours, listed }: Difference): string {
  const theirs = listed === undefined ? 'not listed' : listed.state
  const stay = listed === undefined ? '' : ` "${sanitize(listed.propertyName)}" ${sanitize(listed.checkIn)}`
  return `${proposal}  ${vendorId} ${reference}${stay}  here: ${ours ?? 'unknown'}${bookingId === undefined ? '' : ` (${bookingId})`}, there: ${theirs}`
}
