import type { CallContext } from '../../../lib/async/call-context.ts'
import { chunk } from '../../../lib/chunk.ts'
import { foldText } from '../../../lib/text/fold-text.ts'
import { DAY_MS } from '../../../lib/time/durations.ts'
import type { Caller } from '../../transport/caller.ts'
import { VendorError } from '../../vendor-error.ts'
import { asEntries, asInteger, asRecord, asRecords, readCode, type Wire } from '../../wire/read.ts'
import type { HotelbedsConfig } from '../config.ts'
import { encodeCodeList } from '../encode.ts'
import { readContentText, tidyName } from '../wire.ts'
import facilityNames from './facility-names.json' with { type: 'json' }

export type CodeLists = ReturnType<typeof createCodeLists>
/** Names of the vendor's codes. Look-ups of unknown codes return '' or 0. */
export type CodeNames = ReturnType<typeof createNames>

const CODES_PER_CALL = 250
const ENTRIES_PER_CALL = 1000

type Hotelbeds = Caller<HotelbedsConfig>
type Lists = { readonly hotelbeds: Hotelbeds; readonly language: string }

/** `60-261`: group and code as one key. */
export const facilityKey = (group: number, code: number): string => `${group}-${code}`

/** Names read so far, on top of built-in ones: facilities from the vendor's list of 2016. */
const createCache = () => ({
  facilities: new Map(Object.entries(facilityNames)),
  stars: new Map<string, number>(),
  accommodations: new Map([
    ['H', 'Hotel'],
    ['G', 'Guest house'],
    ['Q', 'Boutique'],
  ]),
  chains: new Map<string, string>(),
  rooms: new Map<string, string>(),
  countries: new Map([['UK', 'GB']]),
  states: new Map<string, string>(),
})
type NameCache = ReturnType<typeof createCache>

export function createCodeLists(hotelbeds: Hotelbeds, language = 'en') {
  const lists = { hotelbeds, language }
  const cache = createCache()
  let learnedAt = Number.NEGATIVE_INFINITY

  async function learnShortListsDaily(context: CallContext): Promise<void> {
    const now = hotelbeds.clock.now()
    if (now - learnedAt >= DAY_MS && (await learnShortLists(lists, cache, context))) learnedAt = now
  }

  return {
    names: createNames(cache),
    /** Reads the names of these codes. If the vendor fails, old or built-in names are used; only a deadline throws. */
    async learn(wanted: { chains: Iterable<string>; rooms: Iterable<string> }, context: CallContext) {
      await Promise.all([
        learnShortListsDaily(context),
        learnCodes(lists, 'types/chains', cache.chains, wanted.chains, context),
        learnCodes(lists, 'types/rooms', cache.rooms, wanted.rooms, context),
      ])
    },
  }
}

const createNames = (cache: NameCache) => ({
  facility: (key: string): string => cache.facilities.get(key) ?? '',
  stars: (category: string): number => cache.stars.get(category) ?? parseStars(category),
  accommodation: (code: string): string => cache.accommodations.get(code) ?? (code.length > 2 ? tidyName(code) : ''),
  chain: (code: string): string => cache.chains.get(code) ?? '',
  room: (code: string): string => cache.rooms.get(code) ?? '',
  /** ISO 3166-1 alpha-2. */
  country: (code: string): string => cache.countries.get(code) ?? (/^[A-Z]{2}$/.test(code) ? code : ''),
  state: (country: string, code: string): string => cache.states.get(`${country} ${code}`) ?? '',
})

/** Reads one list, entry by entry. Returns false if the vendor failed. */
async function readList(
  { hotelbeds, language }: Lists,
  list: string,
  addEntry: (entry: Wire) => void,
  context: CallContext,
  codes?: readonly string[],
): Promise<boolean> {
  try {
    for (let from = 1; ; from += ENTRIES_PER_CALL) {
      const call = encodeCodeList(list, from, from + ENTRIES_PER_CALL - 1, codes, language)
      const { body } = await hotelbeds.request(call, context)
      for (const entry of readEntries(body)) addEntry(entry)
      const total = asInteger(asRecord(body)?.total) ?? 0
      if (total < from + ENTRIES_PER_CALL || codes !== undefined) return true
    }
  } catch (error) {
    if (context.signal.aborted || !(error instanceof VendorError)) throw error
    return false
  }
}

async function learnShortLists(lists: Lists, cache: NameCache, context: CallContext): Promise<boolean> {
  const done = await Promise.all([
    readList(lists, 'types/facilities', (entry) => addFacility(cache.facilities, entry), context),
    readList(lists, 'types/categories', (entry) => addStars(cache.stars, entry), context),
    readList(lists, 'types/accommodations', (entry) => addAccommodation(cache.accommodations, entry), context),
    readList(lists, 'locations/countries', (entry) => addCountry(cache.countries, cache.states, entry), context),
  ])
  return done.every((ok) => ok)
}

/** The long lists (3,000 chains, 14,000 room types) are read only for the codes that occur. */
async function learnCodes(
  lists: Lists,
  list: string,
  names: Map<string, string>,
  codes: Iterable<string>,
  context: CallContext,
): Promise<void> {
  const missing = [...new Set(codes)].filter((code) => code !== '' && !names.has(code))
  for (const batch of chunk(missing, CODES_PER_CALL)) {
    const addEntry = (entry: Wire) => void names.set(readCode(entry.code), tidyName(readContentText(entry.description)))
    if (!(await readList(lists, list, addEntry, context, batch))) return
    for (const code of batch) if (!names.has(code)) names.set(code, '')
  }
}

/** The only list of the response, whatever its name: `facilities`, `categories`, `countries` … */
const readEntries = (body: unknown): Wire[] => asRecords(asEntries(body).find(([, value]) => Array.isArray(value))?.[1])

function addFacility(names: Map<string, string>, entry: Wire): void {
  const [group, code, name] = [
    asInteger(entry.facilityGroupCode),
    asInteger(entry.code),
    readContentText(entry.description),
  ]
  if (group !== undefined && code !== undefined && name !== '') names.set(facilityKey(group, code), tidyName(name))
}

/** 0 means that the vendor has not decided yet. */
function addStars(names: Map<string, number>, entry: Wire): void {
  const stars = asInteger(entry.simpleCode)
  if (stars !== undefined && stars >= 0 && stars <= 5) names.set(readCode(entry.code), stars)
}

function addAccommodation(names: Map<string, string>, entry: Wire): void {
  const name = readContentText(entry.typeMultiDescription) || readContentText(entry.typeDescription)
  if (name !== '') names.set(readCode(entry.code), tidyName(name))
}

function addCountry(countries: Map<string, string>, states: Map<string, string>, entry: Wire): void {
  const code = readCode(entry.code)
  const iso = readCode(entry.isoCode)
  if (/^[A-Z]{2}$/.test(iso)) countries.set(code, iso)
  const countryName = foldText(readContentText(entry.description))
  for (const state of asRecords(entry.states)) {
    const name = readContentText(state.name)
    // Some countries have themselves as their only state, or a state for "not assigned".
    if (name === '' || /not assigned/i.test(name) || foldText(name) === countryName) continue
    states.set(`${code} ${readCode(state.code)}`, tidyName(name))
  }
}

/** Fallback if the list has not been read: 4EST, 3LL, 5LUX, H2_5. */
function parseStars(category: string): number {
  const whole = /^([1-5])(?:EST|LL|LUX)$/.exec(category)
  if (whole !== null) return Number(whole[1])
  const half = /^H([1-4])_5$/.exec(category)
  return half === null ? 0 : Number(half[1]) + 0.5
}
