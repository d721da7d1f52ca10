import type { VendorOverview } from '../vendors/describe-vendor.ts'
import type { VendorHealth } from '../vendors/vendor-health.ts'
import type { AttentionEntry, AttentionSource } from './attention.ts'

/** Vendors that are not asked because they fail, and vendors whose content is not as fresh as it should be. */
export const vendorSources = (health: Pick<VendorHealth, 'overviews'>): AttentionSource[] => [
  async (_now, most) => (await health.overviews()).flatMap(breakerEntry).slice(0, most),
  async (_now, most) => (await health.overviews()).flatMap(contentEntry).slice(0, most),
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
      title: `${vendorId} is not asked at present: it has failed too often`,
      whatHappened: `The breaker of ${classes} is open in ${processes === 1 ? 'one process' : `${processes} processes`}. Failures in the last hour: ${kinds.join(', ') || 'none'}.`,
      whatToDo:
        'The service tries again by itself, after a minute at the latest. If it lasts, see by the kind of the errors whether it is the vendor, the network or the credentials; “serai vendors check” tests them.',
      action: 'open_vendor',
      vendorId,
    },
  ]
}

function contentEntry({ vendorId, content: { lateSince, freshAt, failure } }: VendorOverview): AttentionEntry[] {
  if (lateSince === undefined) return []
  const last = freshAt === undefined ? 'It has never been read to its end' : `It was last read at ${utc(freshAt)}`
  return [
    {
      id: `content_late.${vendorId}`,
      kind: 'content_late',
      since: lateSince,
      title: `The content of ${vendorId} is late`,
      whatHappened: `${last}.${failure === undefined ? '' : ` The last attempt failed: ${failure}.`}`,
      whatToDo:
        'Guests may see properties that are gone, or miss new ones. If the vendor fails, it is read again by itself; if the requests of the day are used up, it goes on tomorrow. “serai content sync” reads it now.',
      action: 'open_vendor',
      vendorId,
    },
  ]
}

const utc = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
