/**
 * Processor time of a booking from the price check to its confirmation: paid by card with the captured payment, on
 * account, and on account of a service without a payment provider. The provider is in memory, so that its calls cost
 * nothing; the vendors are in other processes. The three kinds take turns in short rounds.
 */
import { systemClock } from '../src/lib/time/clock.ts'
import { scriptedProvider } from '../test/support/payments/scripted-provider.ts'
import { ACCOUNT, type BenchApp, call, startBenchApp } from './support/app.ts'
import { createStay, detailPath, findPlaceId, type SearchAnswer } from './support/client-calls.ts'
import { median, round } from './support/figures.ts'
import { serviceCpuMs } from './support/processor.ts'
import { report } from './support/report.ts'

type BookingInfo = { readonly price_check_uri: string }
type Detail = { readonly accommodation: { readonly available_rooms: { readonly booking_info: BookingInfo }[] } }
type Checked = { readonly data: { readonly status: string } }
type Payment = {
  readonly data: { readonly payment_id: string; readonly terms_digest: string; readonly room: { booking_info: object } }
}

const PLACES = ['Zermatt', 'Nice', 'Porto', 'Salzburg']
const GUESTS = { guests: [{ given_name: 'Ana', family_name: 'Costa' }], contact: { email: 'ana@example.com' } }
/** Bookings of each kind in a round. */
const IN_ROUND = 10
const WARM_UP_ROUNDS = 2

export async function benchPayments({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const cards = scriptedProvider(systemClock)
  const [bench, without] = [
    await startBenchApp({ jobs: false }, { paymentProvider: cards.provider }),
    await startBenchApp({ jobs: false }),
  ]

  async function bookOnAccount(app: BenchApp, booking_info: BookingInfo): Promise<void> {
    await call<Checked>(app, 'GET', booking_info.price_check_uri)
    await call(app, 'POST', '/api/accommodation/book', { ...booking_info, ...GUESTS })
  }
  async function bookByCard(booking_info: BookingInfo): Promise<void> {
    const { data } = await call<Payment>(bench, 'POST', '/api/payments', booking_info)
    const { payment_id, terms_digest, room } = data
    cards.confirm(payment_id)
    await call(bench, 'POST', '/api/accommodation/book', { ...room.booking_info, terms_digest, payment_id, ...GUESTS })
    await bench.app.drivePayments()
  }

  try {
    const count = IN_ROUND * (WARM_UP_ROUNDS + (quick ? 5 : 12))
    const rooms = await findRooms(bench, 2 * count)
    const sameRooms = await findRooms(without, count)
    const measured = { card: [] as number[], account: [] as number[], absent: [] as number[] }
    for (let first = 0; first < count; first += IN_ROUND) {
      await bench.app.manageAccounts.setPayment(ACCOUNT.email, 'account')
      const end = first + IN_ROUND
      const [account, absent] = await measureInTurns(
        rooms.slice(first, end).map((room) => () => bookOnAccount(bench, room)),
        sameRooms.slice(first, end).map((room) => () => bookOnAccount(without, room)),
      )
      await bench.app.manageAccounts.setPayment(ACCOUNT.email, 'card')
      const [card] = await measureInTurns(rooms.slice(count + first, count + end).map((room) => () => bookByCard(room)))
      if (first < WARM_UP_ROUNDS * IN_ROUND) continue
      measured.card.push(...card)
      measured.account.push(...account)
      measured.absent.push(...absent)
    }
    const [card, account, absent] = [median(measured.card), median(measured.account), median(measured.absent)]
    return {
      payment_booking_cpu_ms: round(card),
      payment_on_account_cpu_ms: round(account),
      payment_absent_cpu_ms: round(absent),
      payment_booking_vs_on_account: round(card / account),
      payment_on_account_vs_absent: round(account / absent, 3),
    }
  } finally {
    await bench.close()
    await without.close()
  }
}

/** Processor time of each booking. The two kinds alternate, and so does the one that begins. */
async function measureInTurns(...kinds: readonly (readonly (() => Promise<void>)[])[]): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  const rounds = Math.max(...kinds.map(({ length }) => length))
  for (let index = 0; index < rounds; index += 1) {
    for (const kind of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const book = kinds[kind]?.[index]
      if (book === undefined) continue
      const before = serviceCpuMs()
      await book()
      times[kind].push(serviceCpuMs() - before)
    }
  }
  return times
}

/** Rooms of different properties whose price is confirmed. */
async function findRooms(bench: BenchApp, count: number): Promise<BookingInfo[]> {
  const rooms: BookingInfo[] = []
  const request = async (method: string, path: string) => JSON.stringify(await call(bench, method, path))
  for (const place of PLACES) {
    const destination_id = await findPlaceId(request, place)
    const stay = { ...createStay(60), destination_id, timeout_ms: 15_000 }
    const { data } = await call<SearchAnswer>(bench, 'POST', '/api/accommodation_searches/search', stay)
    for (const { property_id } of data.availability) {
      if (rooms.length === count) return rooms
      const { accommodation } = await call<Detail>(bench, 'GET', detailPath(data.search_id, property_id))
      const booking_info = accommodation.available_rooms[0]?.booking_info
      if (booking_info === undefined) continue
      const checked = await call<Checked>(bench, 'GET', booking_info.price_check_uri)
      if (checked.data.status === 'matched') rooms.push(booking_info)
    }
  }
  return rooms
}

if (import.meta.main) await report(benchPayments)
