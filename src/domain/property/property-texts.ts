import { isDeepStrictEqual } from 'node:util'
import type { Notice } from '../offer.ts'
import type { RoomContent, VendorProperty } from './property.ts'

/** Language in which properties are stored and matched. */
export const CATALOGUE_LANGUAGE = 'en'

/** `de` for `de-AT`. */
export const primaryLanguage = (tag: string): string => (tag.split('-')[0] ?? '').toLowerCase()

/** Texts of a property in another language. Contains only those that differ from English, because vendors fill gaps with English. */
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

export function extractTranslations(
  english: VendorProperty,
  translated: VendorProperty,
  language: string,
): PropertyTexts {
  const rooms = english.rooms.flatMap((room) => {
    const same = translated.rooms.find(({ id }) => id === room.id)
    const texts: RoomTexts = same === undefined ? {} : differing(room, same, ROOM_FIELDS)
    return Object.keys(texts).length === 0 ? [] : [[room.id, texts] as const]
  })
  const { notices, ...texts } = differing(english, translated, FIELDS)
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
  other: T,
  fields: readonly K[],
): Partial<Pick<T, K>> {
  const kept = fields.filter((field) => !isEmpty(other[field]) && !isDeepStrictEqual(other[field], english[field]))
  return Object.fromEntries(kept.map((field) => [field, other[field]])) as Partial<Pick<T, K>>
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

/** Room content with the languages of its texts. */
export type DescribedRoom = RoomContent & {
  readonly languages?: { readonly description: string; readonly amenities: string }
}

/** Replaces the room's texts by their translations, if there are any. */
export function roomInLanguage(room: RoomContent, texts: PropertyTexts | undefined): DescribedRoom {
  const translated = texts?.rooms[room.id]
  if (texts === undefined || translated === undefined) return room
  const language = (text: unknown) => (text === undefined ? CATALOGUE_LANGUAGE : texts.language)
  const languages = { description: language(translated.description), amenities: language(translated.amenities) }
  return { ...room, ...translated, languages }
}
