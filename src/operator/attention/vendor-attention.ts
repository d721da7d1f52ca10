import type { VendorOverview } from '../vendors/describe-vendor.ts'
import type { VendorHealth } from '../vendors/vendor-health.ts'
import type { AttentionEntry, AttentionSource } from './attention.ts'

/** Vendors with an open breaker, and vendors whose content is out of date. */
export const vendorSources = (health: Pick<VendorHealth, 'overviews'>): AttentionSource[] => [
  async (_now, limit) => (await health.overviews()).flatMap(breakerEntry).slice(0, limit),
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
