import type { Catalogue } from '../catalogue/catalogue.ts'
import { ENGLISH_TEXTS, mergeTexts, type TextLanguages } from '../catalogue/properties/merge-texts.ts'
import type { PropertyContent as StoredContent } from '../catalogue/properties/read-property.ts'
import type { OfferedRoom } from '../catalogue/rooms/known-room.ts'
import type { AreaVisit } from '../catalogue/sync/area-reader.ts'
import type { Notice, RoomOffer } from '../domain/offer.ts'
import { noticesIn } from '../domain/property/notices.ts'
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
import type { SimulatedOutcome } from '../domain/simulation.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import { type Box, type Circle, distanceKm, type Point, type Region } from '../lib/geo.ts'
import type { PlainDate } from '../lib/time/plain-date.ts'
import type { AvailabilityAnswer, Vendor } from '../vendors/contract.ts'
import type { SharedAnswers } from './shared-answers.ts'

/** What a request searches and books in: the connected vendors and the catalogue, or the simulator. */
export type World = {
  readonly vendors: readonly Vendor[]
  readonly properties: PropertySource
  /** Vendors' fresh answers; worlds never share them. */
  readonly answers: {
    readonly availability: SharedAnswers<AvailabilityAnswer>
    readonly rooms: SharedAnswers<readonly RoomOffer[]>
  }
} & ({ readonly simulated: false } | { readonly simulated: true; readonly samples: Samples })

/** What the simulator answers with for ids that were never issued, so that every operation can be tried alone. */
export type Samples = {
  search(accountId: string, searchId: string): SavedSearch
  /** The same seed gives the same offer. */
  offer(accountId: string, seed: string, rooms: number): Promise<SealedOffer>
  /** False where the simulated vendor does not say whether a cancellation succeeded. */
  readonly confirmsCancel: boolean
}

export type Worlds = {
  readonly real: World
  /** The world the header asks for, or else the one in which the search, offer or booking was made. */
  of(simulation: SimulatedOutcome | undefined, made?: { readonly simulated: boolean }): World
}

export function createWorlds(real: World, simulated: (outcome: SimulatedOutcome) => World): Worlds {
  return {
    real,
    of: (simulation, made) =>
      simulation !== undefined || made?.simulated === true ? simulated(simulation ?? 'success') : real,
  }
}

/** A property that might have a room, with its name at each vendor. */
export type Candidate = {
  readonly propertyId: string
  readonly point: Point
  readonly distanceKm: number
  readonly vendors: readonly { readonly vendorId: string; readonly vendorPropertyId: string }[]
}

export type PropertyContent = {
  /** The best of what the vendors tell, as one. */
  readonly merged: VendorProperty
  readonly languages: TextLanguages
  /** Rooms as each vendor describes them, by vendor and room id. */
  roomOf(vendorId: string, roomId: string): DescribedRoom | undefined
  /** What a vendor obliges a seller to show with each of its rooms. */
  noticesOf(vendorId: string): readonly Notice[]
  /** The room type of each offer, in their order: the same object for offers of one room. */
  roomTypes(offers: readonly OfferedRoom[]): Promise<readonly RoomType[]>
  /** The same in the language of this tag, as far as its vendors have words for it; in English otherwise. */
  inLanguage(tag: string, context?: CallContext): Promise<PropertyContent>
}

/** What is known of an area, and which vendors could not be asked about it. */
type Surroundings = {
  /** How far was looked in the end: further than asked for where there was nothing. */
  readonly radiusKm: number
  readonly candidates: readonly Candidate[]
  /** By vendor. */
  readonly gaps: ReadonlyMap<string, ContentGap>
}

/**
 * Why not all of a vendor's properties in the area are known. `unread`: nobody may be asked while a search waits. `cut`:
 * it has more than are read of one area, farther from the middle.
 */
export type ContentGap = 'timeout' | 'error' | 'unread' | 'cut'

/** Called with what is known so far of an area that is being read, and how far was looked. */
export type OnFound = (candidates: readonly Candidate[], radiusKm: number) => void

/** Where properties come from: the catalogue, or the simulator. */
export type PropertySource = {
  /**
   * Nearest to the middle first. Asks vendors about an area nobody has visited before, until `context` is aborted; otherwise out of
   * memory.
   */
  around(region: Region, limit: number, context: CallContext, onFound?: OnFound): Promise<Surroundings>
  summaries(propertyIds: readonly string[]): Promise<ReadonlyMap<string, PropertySummary>>
  vendorsOf(propertyId: string): Promise<Candidate['vendors']>
  /** As one vendor describes it; undefined where nobody knows. */
  vendorProperty(ref: Candidate['vendors'][number]): Promise<VendorProperty | undefined>
  /** With its rooms, for which vendors may have to be asked. */
  content(propertyId: string, context?: CallContext): Promise<PropertyContent | undefined>
  /** What a vendor's rates refer to, for an arrival on that day; out of our copy, so what it lacks is missing. */
  remarks(
    vendorId: string,
    refs: readonly string[],
    checkIn: PlainDate,
  ): Promise<ReadonlyMap<string, readonly Notice[]>>
}

/** The catalogue as a search sees it. */
export function catalogueSource(catalogue: Catalogue): PropertySource {
  return {
    async around(region, limit, context, onFound) {
      const { circle: seen, candidates, visits } = await catalogue.around(region, limit, context, onFound)
      // More of a vendor are read than a search looks at, so in a circle the nearest are whole. A box is only a part of
      // what was read around it: it may reach beyond that before it has as many as are searched.
      const box = candidates.length < limit ? region.box : undefined
      const gaps = new Map(
        visits.flatMap((visit) => {
          const gap = gapOf(visit, box)
          return gap === undefined ? [] : [[visit.vendorId, gap] as const]
        }),
      )
      return { radiusKm: seen.radiusKm, candidates, gaps }
    },
    summaries: (propertyIds) => catalogue.summaries(propertyIds),
    async vendorsOf(propertyId) {
      return (await catalogue.property(propertyId))?.vendors ?? []
    },
    vendorProperty: (ref) => catalogue.content(ref),
    async content(propertyId, context) {
      const found = await catalogue.propertyContent(propertyId, context)
      return found && describedBy(catalogue, found)
    },
    remarks: (vendorId, refs, checkIn) => catalogue.remarks(vendorId, refs, checkIn),
  }
}

function gapOf({ status, reach }: AreaVisit, box: Box | undefined): ContentGap | undefined {
  if (status !== 'known' && status !== 'synced') return status
  return reach === undefined || box === undefined || isWithin(reach, box) ? undefined : 'cut'
}

const isWithin = ({ center, radiusKm }: Circle, { south, west, north, east }: Box): boolean =>
  [south, north].every((lat) => [west, east].every((lon) => distanceKm(center, { lat, lon }) <= radiusKm))

function describedBy(
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
    roomOf: (vendorId, roomId) => rooms.get(`${vendorId} ${roomId}`),
    noticesOf: (vendorId) =>
      texts.get(vendorId)?.notices ??
      found.contents
        .filter((content) => content.vendorId === vendorId)
        .flatMap(({ notices = [] }) => noticesIn(CATALOGUE_LANGUAGE, notices)),
    roomTypes: (offers) => catalogue.roomTypes.ofOffers(found.propertyId, found.contents, offers, texts),
    inLanguage: async (tag, context) =>
      describedBy(catalogue, found, await catalogue.texts(found.contents, tag, context)),
  }
}
