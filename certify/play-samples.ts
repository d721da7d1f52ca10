import { addDays, dateIn } from '../src/lib/time/plain-date.ts'
import { CONTACT, GUESTS } from './persons.ts'
import type { Recorder } from './recorder.ts'
import type { Review } from './review.ts'

export type Answer = { readonly status: number; readonly body: unknown }

/** Dependencies of the samples. */
export type Stage = {
  readonly vendorId: string
  readonly destination: string
  readonly recorder: Recorder
  /** Kinds of notices in earlier samples. */
  readonly seen: Set<string>
  /** Calls our API as the account's holder. */
  ask(method: 'GET' | 'POST', url: string, body?: unknown, accept?: string): Promise<Answer>
  /** Asks the vendor about bookings in doubt. */
  settle(): Promise<unknown>
  now(): number
  out(line: string): void
}

type Json = Readonly<Record<string, unknown>>
/** Fields of our responses that a sample needs. */
type Room = Json & {
  readonly vendor_id: string
  readonly refundable: boolean
  readonly notices: readonly { readonly kind: string; readonly title: string }[]
  readonly cancel_policy: { readonly cancelation: string }
  readonly booking_info: Readonly<Record<string, string>>
}
type Occupancies = readonly { readonly adults: number; readonly children_ages?: readonly number[] }[]

type Found = { readonly room: Room; readonly detail: Json; readonly summary: Json }

const SEARCH_MS = 15_000
const PROPERTIES_MAX = 20
const TWO_ADULTS: Occupancies = [{ adults: 2 }]

/** Searches until a property has a suitable room. Of several, returns the one with the most notices not seen before. */
async function findRoom(
  stage: Stage,
  sample: string,
  wanted: {
    readonly days: number
    readonly occupancies?: Occupancies
    readonly isWanted: (room: Room) => boolean
    readonly among?: number
  },
): Promise<Found | undefined> {
  const { recorder } = stage
  recorder.enter(sample, 'search')
  const { head, availability } = await search(stage, wanted.days, wanted.occupancies ?? TWO_ADULTS)
  const found: Found[] = []
  for (const summary of availability.slice(0, PROPERTIES_MAX)) {
    recorder.enter(sample, 'detail')
    const { status, body } = await fetchDetail(stage, head, summary)
    const { available_rooms: rooms = [], ...detail } = (status === 200 ? body : {}) as Json & {
      available_rooms?: Room[]
    }
    const room = rooms.find((candidate) => candidate.vendor_id === stage.vendorId && wanted.isWanted(candidate))
    if (room !== undefined) found.push({ room, detail, summary })
    if (found.length >= (wanted.among ?? 1)) break
  }
  const listKinds = ({ room }: Found) => [...new Set(room.notices.map(({ kind, title }) => `${kind} ${title}`))]
  const countNews = (candidate: Found) => listKinds(candidate).filter((kind) => !stage.seen.has(kind)).length
  const best = found.toSorted((a, b) => countNews(b) - countNews(a))[0]
  if (best === undefined) return undefined
  for (const kind of listKinds(best)) stage.seen.add(kind)
  recorder.enter(sample, 'search')
  recorder.show(200, { ...head, availability: [best.summary] })
  recorder.enter(sample, 'detail')
  recorder.show(200, { ...best.detail, available_rooms: [best.room] })
  return best
}

const fetchDetail = (stage: Stage, head: Json, { property_id: id }: Json): Promise<Answer> =>
  stage.ask('GET', `/api/accommodation_searches/accommodation?search_id=${head.search_id}&property_id=${id}&raw=true`)

async function search(stage: Stage, days: number, occupancies: Occupancies) {
  const places = (await stage.ask('GET', `/api/locations/search?starts_with=${encodeURIComponent(stage.destination)}`))
    .body as { data: { id: string }[] }
  const checkIn = addDays(dateIn('UTC', stage.now()), days)
  const { status, body } = await stage.ask('POST', '/api/accommodation_searches/search', {
    destination_id: places.data[0]?.id,
    check_in: checkIn,
    check_out: addDays(checkIn, 2),
    occupancies,
    currency: 'EUR',
    language: 'en-US',
    country_code: 'GB',
    customer_ip: CONTACT.ip,
    radius_km: 3,
    vendors: [stage.vendorId],
    timeout_ms: SEARCH_MS,
  })
  const data = (status === 200 ? (body as { data: Json }).data : {}) as Json & {
    search_id?: string
    availability?: (Json & { property_id: string })[]
  }
  const { availability = [], ...head } = data
  return { status, body, head, availability }
}

/** Shows our response to a search whose vendor fails. */
async function showFailedSearch(stage: Stage, sample: string): Promise<void> {
  stage.recorder.enter(sample, 'search')
  const { status, body } = await search(stage, 45, TWO_ADULTS)
  stage.recorder.show(status, body)
}

type Checked = { readonly status: string; readonly room: Room | null; readonly terms_digest: string | null }

async function checkPrice(stage: Stage, sample: string, { room }: Found): Promise<Checked | undefined> {
  stage.recorder.enter(sample, 'check')
  const { status, body } = await stage.ask('GET', room.booking_info.price_check_uri ?? '')
  stage.recorder.show(status, body)
  return status === 200 ? (body as { data: Checked }).data : undefined
}

/** Books the checked room under its terms, for guests other than the account's holder. Returns the booking's id. */
async function book(stage: Stage, sample: string, { room, terms_digest }: Checked, rooms = 1) {
  stage.recorder.enter(sample, 'book')
  const { status, body } = await stage.ask('POST', '/api/accommodation/book', {
    ...room?.booking_info,
    terms_digest,
    guests: GUESTS.slice(0, rooms),
    contact: { email: CONTACT.email, phone: CONTACT.phone },
    special_requests: 'A quiet room, please.',
  })
  stage.recorder.show(status, body)
  return (body as { data?: { booking_id?: string } }).data?.booking_id
}

const READS_MAX = 60
const READ_INTERVAL_MS = 1_000

/** Reads a booking until its outcome is known, and then its voucher. */
async function readBooking(stage: Stage, sample: string, bookingId: string): Promise<void> {
  const url = `/api/accommodation/bookings/${bookingId}`
  stage.recorder.enter(sample, 'read')
  let answer = await stage.ask('GET', url)
  for (let reads = 0; reads < READS_MAX && isOpen(answer); reads += 1) {
    await new Promise((later) => setTimeout(later, READ_INTERVAL_MS))
    await stage.settle()
    answer = await stage.ask('GET', url)
  }
  stage.recorder.show(answer.status, answer.body)
  stage.recorder.enter(sample, 'voucher')
  for (const accept of ['application/json', 'text/html']) {
    const voucher = await stage.ask('GET', `${url}/voucher`, undefined, accept)
    stage.recorder.show(voucher.status, voucher.body)
  }
}

const isOpen = ({ body }: Answer): boolean => {
  const status = (body as { data?: { status?: string } }).data?.status ?? ''
  return ['submitting', 'in_doubt', 'cancelling'].includes(status)
}

/** Shows the cancellation preview, the cancellation, and the booking afterwards. */
async function cancel(stage: Stage, sample: string, bookingId: string): Promise<void> {
  const url = `/api/accommodation/bookings/${bookingId}`
  for (const [step, query] of [
    ['cancel_preview', '?preview=true'],
    ['cancel', ''],
  ] as const) {
    stage.recorder.enter(sample, step)
    const { status, body } = await stage.ask('POST', `${url}/cancel${query}`)
    stage.recorder.show(status, body)
  }
  stage.recorder.enter(sample, 'after')
  const { status, body } = await stage.ask('GET', url)
  stage.recorder.show(status, body)
}

/** From the room to the voucher and the cancellation. */
async function playJourney(stage: Stage, sample: string, found: Found | undefined, rooms: number) {
  if (found === undefined) return stage.out(`  ${sample}: no suitable room was found`)
  const checked = await checkPrice(stage, sample, found)
  const bookingId = checked && (await book(stage, sample, checked, rooms))
  if (bookingId === undefined) return stage.out(`  ${sample}: nothing was booked`)
  await readBooking(stage, sample, bookingId)
  await cancel(stage, sample, bookingId)
  stage.out(`  ${sample}: played`)
}

const FAR_DAYS = 60
const COPY_TRIES = 3

/** Reads the vendor's content of the place into our own copy, as the service does before any search. */
export async function copyContent(stage: Stage): Promise<void> {
  for (let tries = 0; tries < COPY_TRIES; tries += 1) {
    stage.recorder.enter('content', 'copy')
    const { head, availability } = await search(stage, FAR_DAYS, TWO_ADULTS)
    if (availability.length === 0) continue
    for (const summary of availability.slice(0, PROPERTIES_MAX)) await fetchDetail(stage, head, summary)
    return stage.out(`  content: ${availability.length} properties`)
  }
  stage.out('  content: no property was found')
}

const NEAR_DAYS = 1

/** The bookings that a review requires; all of them are cancelled in the end. */
export async function playJourneys(stage: Stage, review: Review): Promise<void> {
  const isFree = (room: Room) => room.refundable && room.cancel_policy.cancelation === 'free'
  const family: Occupancies = [
    { adults: 2, children_ages: [9, 4] },
    { adults: 1, children_ages: [7] },
  ]
  const twoRooms = await findRoom(stage, 'two-rooms', {
    days: FAR_DAYS,
    occupancies: family,
    isWanted: isFree,
    among: PROPERTIES_MAX,
  })
  await playJourney(stage, 'two-rooms', twoRooms, 2)
  const isStrict = (room: Room) => !room.refundable
  const strict = await findRoom(stage, 'non-refundable', { days: FAR_DAYS, isWanted: isStrict, among: PROPERTIES_MAX })
  await playJourney(stage, 'non-refundable', strict, 1)
  const isLate = (room: Room) => room.refundable && room.cancel_policy.cancelation !== 'free'
  const lateIn = (days: number) => findRoom(stage, 'after-deadline', { days, isWanted: isLate, among: 3 })
  // If the last day is not refunded at all, an earlier day may be refunded partly.
  const late = (await lateIn(NEAR_DAYS)) ?? (await lateIn(2 * NEAR_DAYS))
  await playJourney(stage, 'after-deadline', late, 1)
  if (review.isRecheck !== undefined) await playRecheck(stage, review)
}

const RECHECK_TRIES = 12

/** Tries different rooms until one requires a recheck. */
async function playRecheck(stage: Stage, review: Review): Promise<void> {
  const sample = 'recheck'
  for (let tries = 0; tries < RECHECK_TRIES; tries += 1) {
    let skip = tries
    const found = await findRoom(stage, sample, { days: FAR_DAYS + 7, isWanted: () => --skip < 0 })
    if (found === undefined) break
    const checked = await checkPrice(stage, sample, found)
    const earlier = stage.recorder.listExchanges(sample, 'detail')
    if (checked === undefined || review.isRecheck?.(stage.recorder.listExchanges(sample, 'check'), earlier) !== true)
      continue
    const bookingId = await book(stage, sample, checked)
    if (bookingId === undefined) continue
    await readBooking(stage, sample, bookingId)
    await cancel(stage, sample, bookingId)
    return stage.out(`  ${sample}: played`)
  }
  stage.out(`  ${sample}: no suitable rate was found`)
}

/** Failures simulated by the stand-in. */
export type Faults = {
  priceChange(): Promise<void>
  lostAnswer(): Promise<void>
  unavailable(): Promise<void>
  none(): Promise<void>
}

/** Vendor failures: a changed price, a lost response, a vendor that is down. */
export async function playFaults(stage: Stage, faults: Faults): Promise<void> {
  const anyRoom = { days: FAR_DAYS, isWanted: () => true }
  const repriced = await findRoom(stage, 'price-change', anyRoom)
  await faults.priceChange()
  const checked = repriced && (await checkPrice(stage, 'price-change', repriced))
  await faults.none()
  if (checked?.status === 'price_changed') {
    const bookingId = await book(stage, 'price-change', checked)
    if (bookingId !== undefined) {
      await readBooking(stage, 'price-change', bookingId)
      await cancel(stage, 'price-change', bookingId)
    }
  }
  stage.out(`  price-change: ${checked?.status ?? 'no suitable room was found'}`)

  const lost = await findRoom(stage, 'lost-answer', anyRoom)
  const agreed = lost && (await checkPrice(stage, 'lost-answer', lost))
  await faults.lostAnswer()
  const bookingId = agreed && (await book(stage, 'lost-answer', agreed))
  await faults.none()
  if (bookingId !== undefined) {
    await readBooking(stage, 'lost-answer', bookingId)
    await cancel(stage, 'lost-answer', bookingId)
  }
  stage.out(`  lost-answer: ${bookingId === undefined ? 'nothing was booked' : 'played'}`)

  await faults.unavailable()
  await showFailedSearch(stage, 'unavailable')
  await faults.none()
  stage.out('  unavailable: played')
}
