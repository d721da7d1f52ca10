import type { AmenitySlug } from '../../../src/domain/property/amenity.ts'
import { COUNTRY_CODES } from '../../world/places/countries.ts'
import { GERMAN_AMENITIES } from '../../world/words/german.ts'
import { readPage } from './answer-content.ts'
import {
  ACCOMMODATION_CODES,
  BED_CODES,
  BOARD_CODES,
  CATEGORIES,
  CHAIN_CODES,
  CHECK_IN_HOUR,
  CHECK_OUT_HOUR,
  FACILITY_CODES,
  GERMAN_CODE,
  ROOM_SIZE_FACILITY,
  roomTypeName,
  toCountryCode,
} from './codes.ts'
import { type Reply, success } from './vendor-words.ts'

const named = (content: string, languageCode = 'ENG') => ({ languageCode, content })
type Entry = { readonly code: string | number }

const facilities = new Map(
  [
    ...Object.values(FACILITY_CODES),
    ...Object.values(BED_CODES),
    CHECK_IN_HOUR,
    CHECK_OUT_HOUR,
    ROOM_SIZE_FACILITY,
  ].map(([group, code, name]) => [
    `${group}-${code}`,
    { code, facilityGroupCode: group, facilityTypologyCode: 3, description: named(name) },
  ]),
)

/** Facilities have German names; the other lists exist in English only. */
const germanFacilities = new Map(
  Object.entries(FACILITY_CODES).map(([slug, [group, code]]) => [
    `${group}-${code}`,
    { code, facilityGroupCode: group, description: named(GERMAN_AMENITIES[slug as AmenitySlug], GERMAN_CODE) },
  ]),
)

/** Lists that map codes to names, with the key of each list in its response. */
const LISTS: ReadonlyMap<string, readonly [key: string, entries: readonly Entry[]]> = new Map<
  string,
  readonly [string, readonly Entry[]]
>([
  ['types/facilities', ['facilities', [...facilities.values()]]],
  [
    'types/boards',
    [
      'boards',
      Object.values(BOARD_CODES).map(([code, name]) => ({ code, description: named(name), multiLingualCode: code })),
    ],
  ],
  [
    'types/categories',
    [
      'categories',
      CATEGORIES.map(({ code, simpleCode, name, group }) => {
        return { code, simpleCode, accommodationType: '', group, description: named(name) }
      }),
    ],
  ],
  [
    'types/accommodations',
    [
      'accommodations',
      Object.values(ACCOMMODATION_CODES).map(([code, name]) => {
        return { code, typeMultiDescription: named(name), typeDescription: name }
      }),
    ],
  ],
  ['types/chains', ['chains', CHAIN_CODES.map(({ code, name }) => ({ code, description: named(name) }))]],
  [
    'locations/countries',
    [
      'countries',
      COUNTRY_CODES.map((iso) => {
        return { code: toCountryCode(iso), isoCode: iso, description: { content: iso }, states: [] }
      }),
    ],
  ],
])

/** One page of a list; undefined if the list does not exist. */
export function answerCodeList(name: string, query: URLSearchParams): Reply | undefined {
  const page = readPage(query)
  if ('status' in page) return page
  const codes = query.get('codes')?.split(',')
  const translate = (entries: readonly Entry[]) => (isTranslated(query) ? entries : entries.map(withoutNames))
  if (name === 'types/rooms') return presentPage('rooms', translate(roomTypes(codes ?? [])), page)
  const list = LISTS.get(name)
  if (list === undefined) return undefined
  if (name === 'types/facilities' && query.get('language') === GERMAN_CODE) {
    const entries = Array.from(
      facilities,
      ([key, entry]) => germanFacilities.get(key) ?? translate([entry])[0] ?? entry,
    )
    return presentPage('facilities', entries, page)
  }
  const wanted = codes === undefined ? list[1] : list[1].filter((entry) => codes.includes(String(entry.code)))
  return presentPage(list[0], translate(wanted), page)
}

/** True if texts exist in the requested language. English fallbacks are used only on request. */
const isTranslated = (query: URLSearchParams): boolean =>
  (query.get('language') ?? 'ENG') === 'ENG' || query.get('useSecondaryLanguage') === 'true'

function withoutNames(entry: Entry): Entry {
  const named = ['description', 'typeMultiDescription', 'typeDescription']
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !named.includes(field))) as Entry
}

function presentPage(key: string, entries: readonly Entry[], { from, to }: { from: number; to: number }): Reply {
  return success({ from, to, total: entries.length, [key]: entries.slice(from - 1, to) })
}

/** There are too many room types to list all; only the requested ones are returned. */
function roomTypes(codes: readonly string[]): Entry[] {
  return codes.flatMap((code) => {
    const description = roomTypeName(code)
    if (description === '') return []
    const [type, characteristic] = code.split('.')
    return [{ code, type, characteristic, description }]
  })
}
