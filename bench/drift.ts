/** Share of fresh offers whose price check at booking differs from the shown price. */
import { systemClock } from '../src/lib/time/clock.ts'
import { call, startBenchApp } from './support/app.ts'
import { round } from './support/figures.ts'
import { report } from './support/report.ts'

type Search = { data: { search_id: string; availability: { property_id: string }[] } }
type Detail = { accommodation: { available_rooms: { booking_info: object }[] } }

export async function benchDrift({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const bench = await startBenchApp()
  try {
    const { data } = await call<{ data: { id: string }[] }>(bench, 'GET', '/api/locations/search?starts_with=lisbon')
    const day = new Date(systemClock.now() + 50 * 86_400_000).toISOString().slice(0, 10)
    const checkOut = new Date(Date.parse(day) + 3 * 86_400_000).toISOString().slice(0, 10)
    const body = {
      destination_id: data[0]?.id,
      check_in: day,
      check_out: checkOut,
      occupancies: [{ adults: 2 }],
      currency: 'EUR',
      timeout_ms: 15_000,
    }
    const search = await call<Search>(bench, 'POST', '/api/accommodation_searches/search', body)
    let checked = 0
    let moved = 0
    for (const { property_id } of search.data.availability.slice(0, quick ? 20 : 80)) {
      const path = `/api/accommodation_searches/accommodation?search_id=${search.data.search_id}&property_id=${property_id}`
      const detail = await call<Detail>(bench, 'GET', path)
      const room = detail.accommodation.available_rooms[0]
      if (room === undefined) continue
      const reply = await bench.app.http.inject({
        method: 'POST',
        url: '/api/accommodation/book',
        headers: { authorization: `bearer: ${bench.token}` },
        payload: room.booking_info,
      })
      checked += 1
      if (reply.statusCode !== 201) moved += 1
    }
    return { price_drift_checked: checked, price_drift_share: round(checked === 0 ? 0 : moved / checked, 3) }
  } finally {
    await bench.close()
  }
}

if (import.meta.main) await report(benchDrift)
