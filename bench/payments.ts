/**
 * Processor time of a booking that a guest pays by card, compared with one on account: from the price check to the
 * confirmed booking and the captured payment. The provider is in memory, so that its calls cost nothing; the vendors are
 * in another process. Both kinds alternate.
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
const WARM_UP = 20

export async function benchPayments({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const cards = scriptedProvider(systemClock)
  const bench = await startBenchApp({ jobs: false }, { paymentProvider: cards.provider })
  const post = <T>(path: string, body: object) => call<T>(bench, 'POST', path, body)
  const setPayment = (kind: 'account' | 'card') => bench.app.manageAccounts.setPayment(ACCOUNT.email, kind)

  async function bookOnAccount(booking_info: BookingInfo): Promise<void> {
    await call<Checked>(bench, 'GET', booking_info.price_check_uri)
    await post('/api/accommodation/book', { ...booking_info, ...GUESTS })
  }
  async function bookByCard(booking_info: BookingInfo): Promise<void> {
    const { data } = await post<Payment>('/api/payments', booking_info)
    const { payment_id, terms_digest, room } = data
    cards.confirm(payment_id)
    await post('/api/accommodation/book', { ...room.booking_info, terms_digest, payment_id, ...GUESTS })
    await bench.app.drivePayments()
  }

  try {
    const rooms = await findRooms(bench, quick ? 60 : 300)
    const [onAccount, byCard]: [number[], number[]] = [[], []]
    for (const [index, booking_info] of rooms.entries()) {
      const isCard = index % 2 === 1
      await setPayment(isCard ? 'card' : 'account')
      const before = serviceCpuMs()
      await (isCard ? bookByCard : bookOnAccount)(booking_info)
      if (index >= WARM_UP) (isCard ? byCard : onAccount).push(serviceCpuMs() - before)
    }
    return {
      payment_booking_cpu_ms: round(median(byCard)),
      payment_on_account_cpu_ms: round(median(onAccount)),
      payment_booking_vs_on_account: round(median(byCard) / median(onAccount)),
    }
  } finally {
    await bench.close()
  }
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
