import type { SearchResult, SearchTerms, VendorOutcome } from '../domain/saved-search.ts'
import type { PlainDate } from '../lib/time/plain-date.ts'
import { describeLimit } from '../vendors/capabilities.ts'
import type { ContentGaps } from './ask-vendors.ts'
import type { Candidate, ContentGap, World } from './world.ts'

type Searched = {
  readonly terms: SearchTerms
  readonly selected: World['vendors']
  readonly vendors: readonly VendorOutcome[]
  readonly gaps: ContentGaps
  /** Nearest first. */
  readonly candidates: readonly Candidate[]
  /** True if there are more candidates than were searched. */
  readonly isCut: boolean
  readonly results: readonly SearchResult[]
  /** At the destination. */
  readonly today: PlainDate
}

/** Warnings about everything that the result may lack. Without them, an incomplete result would look complete. */
export const describeGaps = (searched: Searched): string[] => [
  ...(searched.isCut ? [describeReach(searched)] : []),
  ...describeContentGaps(searched),
  ...searched.vendors.flatMap(describeReason),
  ...describeSkipped(searched),
  ...describeMissing(searched),
]

function describeReach({ candidates, terms: { area, radiusKm } }: Searched): string {
  const count = candidates.length.toLocaleString('en')
  if (area !== undefined)
    return `Only the ${count} properties nearest to the middle of the area were searched. To find others, search smaller areas.`
  const reach = Math.floor((candidates.at(-1)?.distanceKm ?? 0) * 10) / 10
  return `Only the nearest ${count} properties were searched, within ${reach} km of the destination instead of ${radiusKm} km. To find others, search smaller circles (\`radius_km\`) around places nearer to them.`
}

function describeContentGaps({ gaps, vendors }: Searched): string[] {
  const describe = (kinds: readonly ContentGap[], text: (ids: string) => string) => {
    const found = vendors.filter(
      ({ vendorId, reason }) => reason !== undefined && kinds.some((kind) => kind === gaps.get(vendorId)),
    )
    return found.length === 0 ? [] : [text(found.map(({ vendorId }) => vendorId).join(', '))]
  }
  return [
    ...describe(
      ['timeout', 'error'],
      (ids) =>
        `Not all properties of ${ids} in this area are known yet, so some may be missing. Search again in a few seconds.`,
    ),
    ...describe(
      ['unread'],
      (ids) =>
        `Not all properties of ${ids} in this area have been read yet, so some may be missing. Search again later. Operators see the progress with \`serai content status\`.`,
    ),
    ...describe(
      ['cut'],
      (ids) =>
        `Only the properties of ${ids} nearest to the middle of the area are known, so some may be missing. Search smaller areas.`,
    ),
  ]
}

function describeReason({ vendorId, reason }: VendorOutcome): string[] {
  if (reason === 'rates_incomplete')
    return [
      `Some rates of ${vendorId} did not arrive in time, so a property may be missing or cheaper than shown. Search again.`,
    ]
  if (reason === 'quota')
    return [
      `The rate limit of ${vendorId} left no room for all requests, so a property may be missing or cheaper than shown. Search again in a minute.`,
    ]
  return reason === 'condition_not_supported'
    ? [`${vendorId} was not searched: it does not support the conditions. Its properties appear without them.`]
    : []
}

const describeSkipped = ({ selected, terms: { stay }, today }: Searched): string[] =>
  selected.flatMap((vendor) => {
    const limit = describeLimit(vendor, stay, today)
    return limit === undefined ? [] : [`${vendor.id} was not asked: it takes ${limit}.`]
  })

/** A property that was searched by name must not be missing without a reason. */
function describeMissing({ terms, candidates, vendors, results }: Searched): string[] {
  const { propertyId: first, name } = terms.location
  if (first === undefined || results.some(({ propertyId }) => propertyId === first)) return []
  const sellers = new Set(
    candidates.find(({ propertyId }) => propertyId === first)?.vendors.map(({ vendorId }) => vendorId),
  )
  const asked = vendors.filter(({ vendorId, status }) => sellers.has(vendorId) && status !== 'skipped')
  // No vendor was asked: it lies outside the area, or only vendors that were not asked sell it.
  if (asked.length === 0) return []
  const failed = asked.filter(
    ({ status, reason }) =>
      status === 'timeout' || status === 'error' || reason === 'rates_incomplete' || reason === 'quota',
  )
  if (failed.length === 0) {
    const room =
      terms.conditions === undefined ? 'no room for this stay' : 'no room for this stay that meets the conditions'
    return [`${name} has ${room}. These are others nearby.`]
  }
  const names = failed.map(({ vendorId }) => vendorId).join(', ')
  return [`It is not known if ${name} has a room for this stay: the response of ${names} was incomplete. Search again.`]
}
