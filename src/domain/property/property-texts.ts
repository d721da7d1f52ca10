import { isDeepStrictEqual } from 'node:util'
import type { Notice } from '../offer.ts'
import type { RoomContent, VendorProperty } from './property.ts'

/** The language that the catalogue is kept and matched in. */
export const CATALOGUE_LANGUAGE = 'en'

/** `de` of `de-AT`. */
export const primaryLanguage = (tag: string): string => (tag.split('-')[0] ?? '').toLowerCase()

/**
 * What a vendor says of a property in another language. Only what differs from its English words is there, because vendors
 * fill gaps with English. Names, numbers, pictures and beds are those of the English record.
 */
export type PropertyTexts = {
  readonly language: string
  readonly byeLine?: string
  readonly description?: string
  readonly amenitiesByCategory?: VendorProperty['amenitiesByCategory']
  readonly notices?: readonly Notice[]
  /** By room id. */
  readonly rooms: Readonly<Record<string, RoomTexts>>
}

type RoomTexts = {
  readonly name?: string
  readonly description?: string
  readonly amenities?: RoomContent['amenities']
}

const FIELDS = ['byeLine', 'description', 'amenitiesByCategory', 'notices'] as const
const ROOM_FIELDS = ['name', 'description', 'amenities'] as const

/** `told` is the same property, as the vendor describes it in `language`. */
export function textsOf(english: VendorProperty, told: VendorProperty, language: string): PropertyTexts {
  const rooms = english.rooms.flatMap((room) => {
    const same = told.rooms.find(({ id }) => id === room.id)
    const texts: RoomTexts = same === undefined ? {} : differing(room, same, ROOM_FIELDS)
    return Object.keys(texts).length === 0 ? [] : [[room.id, texts] as const]
  })
  const { notices, ...texts } = differing(english, told, FIELDS)
  const isEnglish = ({ text }: Notice) => english.notices?.some((notice) => notice.text === text)
  return {
    language,
    ...texts,
    ...(notices && {
      notices: notices.map((notice) => ({ ...notice, language: isEnglish(notice) ? CATALOGUE_LANGUAGE : language })),
    }),
    rooms: Object.fromEntries(rooms),
  }
}

function differing<T extends object, K extends keyof T>(
  english: T,
  told: T,
  fields: readonly K[],
): Partial<Pick<T, K>> {
  const kept = fields.filter((field) => !isEmpty(told[field]) && !isDeepStrictEqual(told[field], english[field]))
  return Object.fromEntries(kept.map((field) => [field, told[field]])) as Partial<Pick<T, K>>
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

/** A room as it is described, and the languages of its texts. */
export type DescribedRoom = RoomContent & {
  readonly languages?: { readonly description: string; readonly amenities: string }
}

/** A room in the other language, as far as the vendor has words for it. */
export function roomInLanguage(room: RoomContent, texts: PropertyTexts | undefined): DescribedRoom {
  const told = texts?.rooms[room.id]
  if (texts === undefined || told === undefined) return room
  const languageOf = (text: unknown) => (text === undefined ? CATALOGUE_LANGUAGE : texts.language)
  const languages = { description: languageOf(told.description), amenities: languageOf(told.amenities) }
  return { ...room, ...told, languages }
}
