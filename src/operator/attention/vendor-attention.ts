import type { RefusedConditions } from '../../search/refused-conditions.ts'
import type { VendorOverview } from '../vendors/describe-vendor.ts'
import type { VendorHealth } from '../vendors/vendor-health.ts'
import type { AttentionEntry, AttentionSource } from './attention.ts'

/** Vendors with an open breaker, that refuse our settings or a condition, or whose content is out of date. */
export const vendorSources = (
  health: Pick<VendorHealth, 'overviews'>,
  refused: Pick<RefusedConditions, 'recent'>,
): AttentionSource[] => [
  async (_now, limit) => (await health.overviews()).flatMap(breakerEntry).slice(0, limit),
  async (_now, limit) => refused.recent().map(conditionEntry).slice(0, limit),
  async (_now, limit) => (await health.overviews()).flatMap(refusalEntry).slice(0, limit),
  async (_now, limit) => (await health.overviews()).flatMap(failingEntries).slice(0, limit),
  async (_now, limit) => (await health.overviews()).flatMap(contentEntry).slice(0, limit),
]

function breakerEntry({ vendorId, breakers, hour }: VendorOverview): AttentionEntry[] {
  const open = breakers.filter(({ state }) => state !== 'closed')
  if (open.length === 0) return []
  const classes = [...new Set(open.map(({ call_class }) => call_class))].join(', ')
  const processes = new Set(open.map(({ process }) => process)).size
  const kinds = hour.errors.filter(({ kind }) => kind !== 'refused').map(({ kind, calls }) => `${kind} ${calls}`)
  return [
    {
      id: `breaker_open.${vendorId}`,
      kind: 'breaker_open',
      since: Math.min(...open.map(({ since }) => since)),
      title: `Calls to ${vendorId} are suspended after too many failures`,
      whatHappened: `The circuit breaker for ${classes} is open in ${processes === 1 ? 'one process' : `${processes} processes`}. Failures in the last hour: ${kinds.join(', ') || 'none'}.`,
      whatToDo:
        'The service retries within a minute. If it persists, the kind of the errors shows if the cause is the vendor, the network or the credentials; “serai vendors check” tests them.',
      action: 'open_vendor',
      vendorId,
    },
  ]
}

const conditionEntry = ({
  vendorId,
  since,
  lastAt,
}: ReturnType<RefusedConditions['recent']>[number]): AttentionEntry => ({
  id: `condition_refused.${vendorId}`,
  kind: 'condition_refused',
  since,
  title: `${vendorId} rejects a condition of searches`,
  whatHappened: `It refused a filter for free cancellation or boards, last at ${utc(lastAt)}. Searches with this condition skip it.`,
  whatToDo: 'Compare the filter in the log with the vendor’s current documentation, and ask the vendor.',
  action: 'open_vendor',
  vendorId,
})
/** Refusals that only an operator can end: rejected credentials, or a setting that the vendor does not accept. */
function refusalEntry({ vendorId, hour, recent }: VendorOverview): AttentionEntry[] {
  const count = (wanted: string) => hour.errors.find(({ kind }) => kind === wanted)?.calls ?? 0
  const [credentials, settings] = [count('credentials'), count('misconfigured')]
  const since = recent.find(({ failures }) => failures > 0)?.beganAt
  if (since === undefined || credentials + settings === 0) return []
  const reasons = [
    ...(credentials > 0 ? [`calls refused because of the credentials: ${credentials}`] : []),
    ...(settings > 0 ? [`price checks or bookings refused because of a setting, such as payment: ${settings}`] : []),
  ]
  return [
    {
      id: `vendor_refuses_us.${vendorId}`,
      kind: 'vendor_refuses_us',
      since,
      title: `${vendorId} refuses our credentials or settings`,
      whatHappened: `In the last hour, ${reasons.join('; ')}.`,
      whatToDo: '“serai vendors check” names the credentials or the setting. Guests cannot book until it is corrected.',
      action: 'open_vendor',
      vendorId,
    },
  ]
}

/** An open breaker has its own entry. */
function failingEntries({ vendorId, failingOperations, recent, breaker }: VendorOverview): AttentionEntry[] {
  const since = recent.find(({ failures }) => failures > 0)?.beganAt
  if (since === undefined || breaker !== 'closed') return []
  return failingOperations
    .filter(({ period }) => period === 'hour')
    .map(({ operation, calls, failures }) => ({
      id: `operation_failing.${vendorId}.${operation}`,
      kind: 'operation_failing',
      since,
      title: `${operation} fails at ${vendorId}`,
      whatHappened: `In the last hour, ${failures} of ${calls} calls failed.`,
      whatToDo:
        'The view of the vendor lists the kinds of the errors. While “find” fails, bookings in doubt cannot be settled.',
      action: 'open_vendor',
      vendorId,
    }))
}

function contentEntry({ vendorId, content: { lateSince, freshAt, failure } }: VendorOverview): AttentionEntry[] {
  if (lateSince === undefined) return []
  const last = freshAt === undefined ? 'It has never been read completely' : `It was last read at ${utc(freshAt)}`
  return [
    {
      id: `content_late.${vendorId}`,
      kind: 'content_late',
      since: lateSince,
      title: `The content of ${vendorId} is out of date`,
      whatHappened: `${last}.${failure === undefined ? '' : ` The last attempt failed: ${failure}.`}`,
      whatToDo:
        'Guests may see properties that are gone, or miss new ones. The service retries after a failure, and continues tomorrow if the daily requests are used up. “serai content sync” reads it now.',
      action: 'open_vendor',
      vendorId,
    },
  ]
}

const utc = (timestamp: number) => `${new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ')} UTC`
