import type { CallContext } from '../../../lib/async/call-context.ts'
import { partsOf } from '../../../lib/parts.ts'
import { foldText } from '../../../lib/text/fold-text.ts'
import { DAY_MS } from '../../../lib/time/durations.ts'
import type { Caller } from '../../transport/caller.ts'
import { VendorError } from '../../vendor-error.ts'
import { codeOf, entriesOf, recordOf, recordsOf, type Wire, wholeOf } from '../../wire/read.ts'
import type { HotelbedsConfig } from '../config.ts'
import { encodeCodeList } from '../encode.ts'
import { contentOf, tidyName } from '../wire.ts'
import facilityNames from './facility-names.json' with { type: 'json' }

export type CodeLists = ReturnType<typeof createCodeLists>
/** What the vendor's codes mean. Every lookup answers, with '' or 0 for a code nobody knows. */
export type CodeNames = ReturnType<typeof namesIn>

const CODES_PER_CALL = 250
const ENTRIES_PER_CALL = 1000

type Hotelbeds = Caller<HotelbedsConfig>
/** The vendor's lists in one language. */
type Lists = { readonly hotelbeds: Hotelbeds; readonly language: string }

/** `60-261`: group and code as one key. */
export const facilityKey = (group: number, code: number): string => `${group}-${code}`

/** What was learned, on top of a few built-in names: facilities from the vendor's list of 2016. */
const createKnown = () => ({
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
type Known = ReturnType<typeof createKnown>

export function createCodeLists(hotelbeds: Hotelbeds, language = 'en') {
  const lists = { hotelbeds, language }
  const known = createKnown()
  let learnedAt = Number.NEGATIVE_INFINITY

  async function learnShortListsDaily(context: CallContext): Promise<void> {
    const now = hotelbeds.clock.now()
    if (now - learnedAt >= DAY_MS && (await learnShortLists(lists, known, context))) learnedAt = now
  }

  return {
    names: namesIn(known),
    /** Reads the names of these codes. When the vendor fails, old or built-in names are used; only a deadline throws. */
    async learn(wanted: { chains: Iterable<string>; rooms: Iterable<string> }, context: CallContext) {
      await Promise.all([
        learnShortListsDaily(context),
        learnCodes(lists, 'types/chains', known.chains, wanted.chains, context),
        learnCodes(lists, 'types/rooms', known.rooms, wanted.rooms, context),
      ])
    },
  }
}

const namesIn = (known: Known) => ({
  facility: (key: string): string => known.facilities.get(key) ?? '',
  stars: (category: string): number => known.stars.get(category) ?? starsInCode(category),
  accommodation: (code: string): string => known.accommodations.get(code) ?? (code.length > 2 ? tidyName(code) : ''),
  chain: (code: string): string => known.chains.get(code) ?? '',
  room: (code: string): string => known.rooms.get(code) ?? '',
  /** ISO 3166-1 alpha-2. */
  country: (code: string): string => known.countries.get(code) ?? (/^[A-Z]{2}$/.test(code) ? code : ''),
  state: (country: string, code: string): string => known.states.get(`${country} ${code}`) ?? '',
})

/** Reads one list, entry by entry. False where the vendor failed: what was known before stays. */
async function readList(
  { hotelbeds, language }: Lists,
  list: string,
  take: (entry: Wire) => void,
  context: CallContext,
  codes?: readonly string[],
): Promise<boolean> {
  try {
    for (let from = 1; ; from += ENTRIES_PER_CALL) {
      const call = encodeCodeList(list, from, from + ENTRIES_PER_CALL - 1, codes, language)
      const { body } = await hotelbeds.ask(call, context)
      for (const entry of entriesIn(body)) take(entry)
      const total = wholeOf(recordOf(body)?.total) ?? 0
      if (total < from + ENTRIES_PER_CALL || codes !== undefined) return true
    }
  } catch (error) {
    if (context.signal.aborted || !(error instanceof VendorError)) throw error
    return false
  }
}

async function learnShortLists(lists: Lists, known: Known, context: CallContext): Promise<boolean> {
  const done = await Promise.all([
    readList(lists, 'types/facilities', (entry) => takeFacility(known.facilities, entry), context),
    readList(lists, 'types/categories', (entry) => takeStars(known.stars, entry), context),
    readList(lists, 'types/accommodations', (entry) => takeAccommodation(known.accommodations, entry), context),
    readList(lists, 'locations/countries', (entry) => takeCountry(known.countries, known.states, entry), context),
  ])
  return done.every((ok) => ok)
}

/** The long lists (3,000 chains, 14,000 room types) only for the codes that occur. */
async function learnCodes(
  lists: Lists,
  list: string,
  into: Map<string, string>,
  codes: Iterable<string>,
  context: CallContext,
): Promise<void> {
  const missing = [...new Set(codes)].filter((code) => code !== '' && !into.has(code))
  for (const asked of partsOf(missing, CODES_PER_CALL)) {
    const take = (entry: Wire) => void into.set(codeOf(entry.code), tidyName(contentOf(entry.description)))
    if (!(await readList(lists, list, take, context, asked))) return
    for (const code of asked) if (!into.has(code)) into.set(code, '')
  }
}

/** The only list of the envelope, whatever it is called: `facilities`, `categories`, `countries` … */
const entriesIn = (body: unknown): Wire[] => recordsOf(entriesOf(body).find(([, value]) => Array.isArray(value))?.[1])

function takeFacility(into: Map<string, string>, entry: Wire): void {
  const [group, code, name] = [wholeOf(entry.facilityGroupCode), wholeOf(entry.code), contentOf(entry.description)]
  if (group !== undefined && code !== undefined && name !== '') into.set(facilityKey(group, code), tidyName(name))
}

/** 0 means that the vendor has not decided yet. */
function takeStars(into: Map<string, number>, entry: Wire): void {
  const stars = wholeOf(entry.simpleCode)
  if (stars !== undefined && stars >= 0 && stars <= 5) into.set(codeOf(entry.code), stars)
}

function takeAccommodation(into: Map<string, string>, entry: Wire): void {
  const name = contentOf(entry.typeMultiDescription) || contentOf(entry.typeDescription)
  if (name !== '') into.set(codeOf(entry.code), tidyName(name))
}

function takeCountry(countries: Map<string, string>, states: Map<string, string>, entry: Wire): void {
  const code = codeOf(entry.code)
  const iso = codeOf(entry.isoCode)
  if (/^[A-Z]{2}$/.test(iso)) countries.set(code, iso)
  const countryName = foldText(contentOf(entry.description))
  for (const state of recordsOf(entry.states)) {
    const name = contentOf(state.name)
    // Some countries have themselves as their only state, or a state for "not assigned".
    if (name === '' || /not assigned/i.test(name) || foldText(name) === countryName) continue
    states.set(`${code} ${codeOf(state.code)}`, tidyName(name))
  }
}

/** The stars that a category's code itself tells, where the list has not been read: 4EST, 3LL, 5LUX, H2_5. */
function starsInCode(category: string): number {
  const whole = /^([1-5])(?:EST|LL|LUX)$/.exec(category)
  if (whole !== null) return Number(whole[1])
  const half = /^H([1-4])_5$/.exec(category)
  return half === null ? 0 : Number(half[1]) + 0.5
}
