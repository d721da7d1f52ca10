import type { Catalogue } from '../catalogue/catalogue.ts'
import { ENGLISH_TEXTS, mergeTexts, type TextLanguages } from '../catalogue/properties/merge-texts.ts'
import type { PropertyContent as StoredContent } from '../catalogue/properties/read-property.ts'
import type { OfferedRoom } from '../catalogue/rooms/known-room.ts'
import type { AreaVisit } from '../catalogue/sync/area-reader.ts'
import type { Notice, RoomOffer } from '../domain/offer.ts'
import { withLanguage } from '../domain/property/notices.ts'
import type { VendorProperty } from '../domain/property/property.ts'
import type { PropertySummary } from '../domain/property/property-summary.ts'
import {
  CATALOGUE_LANGUAGE,
  type DescribedRoom,
  type PropertyTexts,
  roomInLanguage,
} from '../domain/property/property-texts.ts'
import type { RoomType } from '../domain/property/room-type.ts'
import type { SavedSearch } from '../domain/saved-search.ts'
import type { SealedOffer } from '../domain/sealed-offer.ts'
import type { SimulatedOutcome, Simulation } from '../domain/simulation.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import { type Box, type Circle, distanceKm, type Point, type Region } from '../lib/geo.ts'
import type { PlainDate } from '../lib/time/plain-date.ts'
import type { AvailabilityAnswer, Vendor } from '../vendors/contract.ts'
import type { SharedAnswers } from './shared-answers.ts'

/** The connected vendors and the catalogue, or the simulator. */
export type World = {
  readonly vendors: readonly Vendor[]
  readonly properties: PropertySource
  /** Cached vendor answers; worlds never share them. */
  readonly answers: {
    readonly availability: SharedAnswers<AvailabilityAnswer>
    readonly rooms: SharedAnswers<readonly RoomOffer[]>
  }
  readonly simulated: boolean
  /** Absent if only issued ids exist. */
  readonly samples?: Samples | undefined
}

/** Answers for ids that were never issued, so that every operation can be tried alone. */
export type Samples = {
  search(accountId: string, searchId: string): SavedSearch
  /** The same seed gives the same offer. */
  offer(accountId: string, seed: string, rooms: number): Promise<SealedOffer>
  /** False if the simulated vendor does not confirm cancellations. */
  readonly confirmsCancel: boolean
}

export type Worlds = {
  readonly real: World
  /** The world requested by the header, or else the one where the search, offer or booking was made. */
  select(simulation: Simulation | undefined, made?: { readonly simulated: boolean }): World
}

export function createWorlds(real: World, simulated: (outcome: SimulatedOutcome) => World): Worlds {
  return {
    real,
    select(simulation, made) {
      if (simulation === 'issued_only') return { ...simulated('success'), samples: undefined }
      return simulation !== undefined || made?.simulated === true ? simulated(simulation ?? 'success') : real
    },
  }
}

/** A property that may have a room, with its id at each vendor. */
export type Candidate = {
  readonly propertyId: string
  readonly point: Point
  readonly distanceKm: number
  readonly vendors: readonly { readonly vendorId: string; readonly vendorPropertyId: string }[]
}

export type PropertyContent = {
  /** Merged from all vendors. */
  readonly merged: VendorProperty
  readonly languages: TextLanguages
  /** A room as its vendor describes it. */
  findRoom(vendorId: string, roomId: string): DescribedRoom | undefined
  /** Notices that the vendor requires with each of its rooms. */
  listNotices(vendorId: string): readonly Notice[]
  /** Room types in the order of the offers: the same object for offers of one room. */
  roomTypes(offers: readonly OfferedRoom[]): Promise<readonly RoomType[]>
  /** In this language as far as vendors have texts, otherwise in English. */
  inLanguage(tag: string, context?: CallContext): Promise<PropertyContent>
}

/** Known properties of an area, and vendors that could not be asked about it. */
type Surroundings = {
  /** Radius that was searched; larger than requested if nothing was nearer. */
  readonly radiusKm: number
  readonly candidates: readonly Candidate[]
  readonly gaps: ReadonlyMap<string, ContentGap>
}

/** `unread`: the vendor may not be asked during a search. `cut`: only properties nearest to the middle were read. */
export type ContentGap = 'timeout' | 'error' | 'unread' | 'cut'

/** Called with the candidates known so far of an area that is being read. */
export type OnFound = (candidates: readonly Candidate[], radiusKm: number) => void

export type PropertySource = {
  /** Nearest to the middle first. Asks vendors about an area that is new, until `context` is aborted. */
  around(region: Region, limit: number, context: CallContext, onFound?: OnFound): Promise<Surroundings>
  summaries(propertyIds: readonly string[]): Promise<ReadonlyMap<string, PropertySummary>>
  listVendors(propertyId: string): Promise<Candidate['vendors']>
  /** As this vendor describes it. */
  vendorProperty(ref: Candidate['vendors'][number]): Promise<VendorProperty | undefined>
  /** Includes the rooms, for which vendors may have to be asked. */
  content(propertyId: string, context?: CallContext): Promise<PropertyContent | undefined>
  /** Notices that a vendor's rates refer to, for this arrival date. Read from our copy, which may be incomplete. */
  remarks(
    vendorId: string,
    refs: readonly string[],
    checkIn: PlainDate,
  ): Promise<ReadonlyMap<string, readonly Notice[]>>
}

export function catalogueSource(catalogue: Catalogue): PropertySource {
  return {
    async around(region, limit, context, onFound) {
      const { circle, candidates, visits } = await catalogue.around(region, limit, context, onFound)
      // More properties are read than searched, so the nearest in a circle are complete. A box may reach beyond what
      // was read around it.
      const box = candidates.length < limit ? region.box : undefined
      const gaps = new Map(
        visits.flatMap((visit) => {
          const gap = findGap(visit, box)
          return gap === undefined ? [] : [[visit.vendorId, gap] as const]
        }),
      )
      return { radiusKm: circle.radiusKm, candidates, gaps }
    },
    summaries: (propertyIds) => catalogue.summaries(propertyIds),
    async listVendors(propertyId) {
      return (await catalogue.property(propertyId))?.vendors ?? []
    },
    vendorProperty: (ref) => catalogue.content(ref),
    async content(propertyId, context) {
      const found = await catalogue.propertyContent(propertyId, context)
      return found && describeContent(catalogue, found)
    },
    remarks: (vendorId, refs, checkIn) => catalogue.remarks(vendorId, refs, checkIn),
  }
}

function findGap({ status, reach }: AreaVisit, box: Box | undefined): ContentGap | undefined {
  if (status !== 'known' && status !== 'synced') return status
  return reach === undefined || box === undefined || isWithin(reach, box) ? undefined : 'cut'
}

const isWithin = ({ center, radiusKm }: Circle, { south, west, north, east }: Box): boolean =>
  [south, north].every((lat) => [west, east].every((lon) => distanceKm(center, { lat, lon }) <= radiusKm))

function describeContent(
  catalogue: Catalogue,
  found: StoredContent,
  texts: ReadonlyMap<string, PropertyTexts> = new Map(),
): PropertyContent {
  const rooms = new Map(
    found.contents.flatMap(({ vendorId, rooms: listed }) =>
      listed.map((room) => [`${vendorId} ${room.id}`, roomInLanguage(room, texts.get(vendorId))] as const),
    ),
  )
  return {
    ...(texts.size === 0
      ? { merged: found.merged, languages: ENGLISH_TEXTS }
      : mergeTexts(found.merged, texts.values())),
    findRoom: (vendorId, roomId) => rooms.get(`${vendorId} ${roomId}`),
    listNotices: (vendorId) =>
      texts.get(vendorId)?.notices ??
      found.contents
        .filter((content) => content.vendorId === vendorId)
        .flatMap(({ notices = [] }) => withLanguage(CATALOGUE_LANGUAGE, notices)),
    roomTypes: (offers) => catalogue.roomTypes.forOffers(found.propertyId, found.contents, offers, texts),
    inLanguage: async (tag, context) =>
      describeContent(catalogue, found, await catalogue.texts(found.contents, tag, context)),
  }
}
