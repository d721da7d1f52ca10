import type { CallContext } from '../../lib/call-context.ts'
import type { Clock } from '../../lib/clock.ts'
import { foldText } from '../../lib/fold-text.ts'
import type { Call } from '../call.ts'
import { VendorError } from '../vendor-error.ts'
import { encodeCodeList } from './encode.ts'
import { FACILITY_NAMES, facilityKey } from './facility-names.ts'
import { tidyName } from './tidy-name.ts'
import { codeOf, contentOf, listOf, objectOf, type Wire, wholeOf } from './wire.ts'

/** What the vendor's codes mean. Every lookup answers, with '' or 0 for a code nobody knows. */
export type CodeNames = {
  facility(key: string): string
  stars(category: string): number
  accommodation(code: string): string
  chain(code: string): string
  room(code: string): string
  /** ISO 3166-1 alpha-2. */
  country(code: string): string
  state(country: string, code: string): string
}

export type CodeLists = {
  readonly names: CodeNames
  /** Fetches what is not known yet of these codes. Fails only when the time is up: an old or built-in name will do. */
  learn(
    wanted: { readonly chains: Iterable<string>; readonly rooms: Iterable<string> },
    context: CallContext,
  ): Promise<void>
}

type Deps = { ask(call: Call, context: CallContext): Promise<unknown>; clock: Clock }
type Entry = Wire<
  | 'code'
  | 'facilityGroupCode'
  | 'description'
  | 'simpleCode'
  | 'typeMultiDescription'
  | 'typeDescription'
  | 'isoCode'
  | 'states'
  | 'name'
>

const DAY_MS = 86_400_000
const CODES_PER_CALL = 250
const ENTRIES_PER_CALL = 1000

export function createCodeLists({ ask, clock }: Deps): CodeLists {
  const known = {
    facilities: new Map(FACILITY_NAMES),
    stars: new Map<string, number>(),
    accommodations: new Map(ACCOMMODATIONS),
    chains: new Map<string, string>(),
    rooms: new Map<string, string>(),
    countries: new Map([['UK', 'GB']]),
    states: new Map<string, string>(),
  }
  let learnedAt = Number.NEGATIVE_INFINITY

  /** Reads one list into the maps; a failure leaves what was known. */
  async function read(list: string, take: (entry: Entry) => void, context: CallContext, codes?: readonly string[]) {
    try {
      for (let from = 1; ; from += ENTRIES_PER_CALL) {
        const body = await ask(encodeCodeList(list, from, from + ENTRIES_PER_CALL - 1, codes), context)
        for (const entry of entriesOf(body)) take(entry)
        const total = wholeOf(objectOf<Wire<'total'>>(body)?.total) ?? 0
        if (total < from + ENTRIES_PER_CALL || codes !== undefined) return true
      }
    } catch (error) {
      if (context.signal.aborted || !(error instanceof VendorError)) throw error
      return false
    }
  }

  /** The short lists, whole, once a day. */
  async function learnShortLists(context: CallContext): Promise<void> {
    if (clock.now() - learnedAt < DAY_MS) return
    const done = await Promise.all([
      read('types/facilities', (entry) => takeFacility(known.facilities, entry), context),
      read('types/categories', (entry) => takeStars(known.stars, entry), context),
      read('types/accommodations', (entry) => takeAccommodation(known.accommodations, entry), context),
      read('locations/countries', (entry) => takeCountry(known.countries, known.states, entry), context),
    ])
    if (done.every((ok) => ok)) learnedAt = clock.now()
  }

  /** The long lists (3,000 chains, 14,000 room types) only for the codes that occur. */
  async function learnCodes(list: string, into: Map<string, string>, codes: Iterable<string>, context: CallContext) {
    const missing = [...new Set(codes)].filter((code) => code !== '' && !into.has(code))
    for (let start = 0; start < missing.length; start += CODES_PER_CALL) {
      const asked = missing.slice(start, start + CODES_PER_CALL)
      const take = (entry: Entry) => void into.set(codeOf(entry.code), tidyName(contentOf(entry.description)))
      if (!(await read(list, take, context, asked))) return
      for (const code of asked) if (!into.has(code)) into.set(code, '')
    }
  }

  return {
    names: {
      facility: (key) => known.facilities.get(key) ?? '',
      stars: (category) => known.stars.get(category) ?? starsByHabit(category),
      accommodation: (code) => known.accommodations.get(code) ?? (code.length > 2 ? tidyName(code) : ''),
      chain: (code) => known.chains.get(code) ?? '',
      room: (code) => known.rooms.get(code) ?? '',
      country: (code) => known.countries.get(code) ?? (/^[A-Z]{2}$/.test(code) ? code : ''),
      state: (country, code) => known.states.get(`${country} ${code}`) ?? '',
    },
    async learn(wanted, context) {
      await Promise.all([
        learnShortLists(context),
        learnCodes('types/chains', known.chains, wanted.chains, context),
        learnCodes('types/rooms', known.rooms, wanted.rooms, context),
      ])
    },
  }
}

/** The only array of the envelope, whatever it is called: `facilities`, `categories`, `countries` … */
function entriesOf(body: unknown): Entry[] {
  const list = Object.values(objectOf<Record<string, unknown>>(body) ?? {}).find(Array.isArray)
  return listOf(list)
    .map((item) => objectOf<Entry>(item))
    .filter((entry) => entry !== undefined)
}

function takeFacility(into: Map<string, string>, entry: Entry): void {
  const [group, code, name] = [wholeOf(entry.facilityGroupCode), wholeOf(entry.code), contentOf(entry.description)]
  if (group !== undefined && code !== undefined && name !== '') into.set(facilityKey(group, code), tidyName(name))
}

/** 0 means that the category is still to be decided. */
function takeStars(into: Map<string, number>, entry: Entry): void {
  const stars = wholeOf(entry.simpleCode)
  if (stars !== undefined && stars >= 0 && stars <= 5) into.set(codeOf(entry.code), stars)
}

function takeAccommodation(into: Map<string, string>, entry: Entry): void {
  const name = contentOf(entry.typeMultiDescription) || contentOf(entry.typeDescription)
  if (name !== '') into.set(codeOf(entry.code), tidyName(name))
}

function takeCountry(countries: Map<string, string>, states: Map<string, string>, entry: Entry): void {
  const code = codeOf(entry.code)
  const iso = codeOf(entry.isoCode)
  if (/^[A-Z]{2}$/.test(iso)) countries.set(code, iso)
  const countryName = foldText(contentOf(entry.description))
  for (const item of listOf(entry.states)) {
    const state = objectOf<Entry>(item)
    const name = contentOf(state?.name)
    // Some countries are their own only state, others have a place for the unassigned.
    if (name === '' || /not assigned/i.test(name) || foldText(name) === countryName) continue
    states.set(`${code} ${codeOf(state?.code)}`, tidyName(name))
  }
}

/** Stars, keys and luxury classes, where the list of categories has not been read: 4EST, 3LL, 5LUX, H2_5. */
function starsByHabit(category: string): number {
  const whole = /^([1-5])(?:EST|LL|LUX)$/.exec(category)
  if (whole !== null) return Number(whole[1])
  const half = /^H([1-4])_5$/.exec(category)
  return half === null ? 0 : Number(half[1]) + 0.5
}

const ACCOMMODATIONS: ReadonlyMap<string, string> = new Map([
  ['H', 'Hotel'],
  ['G', 'Guest house'],
  ['Q', 'Boutique'],
])
