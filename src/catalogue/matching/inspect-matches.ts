import type { Image } from '../../domain/property/property.ts'
import { distanceKm, type Point } from '../../lib/geo.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { defineList } from '../../lists/definition.ts'
import type { ListPage } from '../../lists/meta.ts'
import type { ListPlan } from '../../lists/plan.ts'
import { runOnSql } from '../../lists/sql/run.ts'
import type { Charge } from '../../lists/work.ts'
import type { Tables } from '../../store/tables.ts'
import { readPropertyContent } from '../properties/read-property.ts'
import { refKey, vendorKey } from '../properties/vendor-key.ts'
import type { RoomTypeGroup } from '../rooms/room-types.ts'
import type { CatalogueReader } from '../store/catalogue.ts'
import type { LinkListRow, MatchListStore, NearListRow } from '../store/match-lists.ts'
import { SEPARATIONS } from './assign-matches.ts'
import type { Evidence } from './compare-traits.ts'
import type { Explanation, LinkExplained } from './curate-matches.ts'

const text = { type: 'string', sortable: true, filterable: true, nullable: false } as const

export const MATCH_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    property_id: { type: 'string', filterable: true, nullable: false },
    vendor_id: text,
    vendor_property_id: { type: 'string', filterable: true, nullable: false },
    name: text,
    city: text,
    country_code: text,
    score: { type: 'float', sortable: true, filterable: true, nullable: false },
    decided_by: { type: 'enum', values: ['auto', 'operator'], sortable: true, filterable: true, nullable: false },
    decided_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['score'], orderDirections: ['asc'] },
})

export const NEAR_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    score: { type: 'float', sortable: true, filterable: true, nullable: false },
    found_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    reason: { type: 'enum', values: SEPARATIONS, sortable: true, filterable: true },
    name: text,
    other_name: text,
    city: text,
    country_code: text,
    vendor_id: text,
    other_vendor_id: text,
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['score'], orderDirections: ['desc'] },
})

export type InspectedRecord = LinkExplained & {
  readonly address: string
  readonly location: Point
  /** Metres from the first record. */
  readonly distance: number
  readonly phone: string
  readonly stars: number
  readonly chain: string
  readonly category: string
  readonly images: readonly Image[]
}

export type InspectedMatch = Pick<Explanation, 'propertyId' | 'lookAlikes'> & {
  readonly name: string
  readonly records: readonly InspectedRecord[]
  readonly roomTypes: readonly RoomTypeGroup[]
  readonly decisions: readonly Tables['property_pins'][]
}

type WithEvidence<Row> = Omit<Row, 'evidence'> & { readonly evidence: readonly Evidence[] }
export type ListedMatch = WithEvidence<LinkListRow>
export type NearMatch = WithEvidence<NearListRow>

type Deps = {
  readonly store: Pick<CatalogueReader, 'properties' | 'contents' | 'pins'>
  readonly lists: MatchListStore
  readonly clock: Clock
  explain(propertyId: string): Promise<Explanation | undefined>
  readonly rooms: { explain(propertyId: string): Promise<readonly RoomTypeGroup[] | undefined> }
}

const IMAGES_SHOWN = 6

export type InspectMatches = ReturnType<typeof createInspectMatches>

/** Explains matches to operators. */
export function createInspectMatches({ store, lists, clock, explain, rooms }: Deps) {
  return {
    async list(plan: ListPlan, charge: Charge): Promise<ListPage<ListedMatch>> {
      const page = await runOnSql(plan, lists.links(), charge)
      const evidence = (row: LinkListRow) => JSON.parse(row.evidence).evidence ?? []
      return { ...page, data: page.data.map((row) => ({ ...row, evidence: evidence(row) })) }
    },

    async near(plan: ListPlan, charge: Charge): Promise<ListPage<NearMatch>> {
      const page = await runOnSql(plan, lists.near(clock.now()), charge)
      return { ...page, data: page.data.map((row) => ({ ...row, evidence: JSON.parse(row.evidence) })) }
    },

    /** Follows redirects; undefined if the property does not exist. */
    async show(propertyId: string): Promise<InspectedMatch | undefined> {
      const found = await readPropertyContent(store, propertyId)
      const explained = found && (await explain(found.propertyId))
      if (found === undefined || explained === undefined) return undefined
      const keys = explained.links.map(({ ref }) => refKey(ref))
      return {
        propertyId: found.propertyId,
        name: found.merged.name,
        records: found.contents.map((content) => toRecord(content, found.contents[0] ?? content, explained)),
        roomTypes: (await rooms.explain(found.propertyId)) ?? [],
        lookAlikes: explained.lookAlikes,
        decisions: await store.pins(keys),
      }
    },
  }
}

type Content = NonNullable<Awaited<ReturnType<typeof readPropertyContent>>>['contents'][number]

function toRecord(content: Content, first: Content, { links }: Explanation): InspectedRecord {
  const { vendorId, vendorPropertyId, address, location } = content
  const link = links.find(({ ref }) => refKey(ref) === vendorKey(vendorId, vendorPropertyId))
  return {
    ref: { vendorId, vendorPropertyId },
    name: content.name,
    decidedBy: link?.decidedBy ?? 'founder',
    score: link?.score ?? 1,
    evidence: link?.evidence ?? [],
    address: [address.line1, address.line2, address.postalCode, address.city, address.countryCode]
      .filter((part) => part !== '')
      .join(', '),
    location,
    distance: Math.round(distanceKm(first.location, location) * 1_000),
    phone: content.phone,
    stars: content.starRating,
    chain: content.chain,
    category: content.category,
    images: content.images.slice(0, IMAGES_SHOWN),
  }
}
