import { addDays, dateIn } from '../../src/lib/time/plain-date.ts'
import type { Request } from './steady-load.ts'

const SIMULATED = { 'x-simulate-return': 'success' }

/** Normal traffic without vendors: mostly searches, some location lookups, some bookings. */
export function simulatedTraffic(run: string): (n: number) => Request {
  const checkIn = addDays(dateIn('UTC', Date.now()), 40)
  const search = {
    destination_id: '7c6f3c1e-9d7e-5f0a-8b1a-2d3c4e5f6a7b',
    check_in: checkIn,
    check_out: addDays(checkIn, 2),
    occupancies: [{ adults: 2 }],
  }
  return (n) => {
    if (n % 4 === 0) return { method: 'GET', path: '/api/locations/search?starts_with=zermatt' }
    if (n % 10 === 1) {
      const body = { bed_id: `${run}-${n}`, price_check_uri: '/simulated', client_reference: `${run}-${n}` }
      return { method: 'POST', path: '/api/accommodation/book', headers: SIMULATED, body }
    }
    return { method: 'POST', path: '/api/accommodation_searches/search', headers: SIMULATED, body: search }
  }
}

export function simulatedSearches(run: string): (n: number) => Request {
  const traffic = simulatedTraffic(run)
  return (n) => traffic(n * 20 + 2)
}

/** The same mix with real searches, each for a different stay. */
export function realTraffic(run: string, destinationId: string, vendors?: readonly string[]): (n: number) => Request {
  const traffic = simulatedTraffic(run)
  const today = dateIn('UTC', Date.now())
  return (n) => {
    const request = traffic(n)
    if (!request.path.endsWith('/search')) return request
    const checkIn = addDays(today, 20 + ((hash(run) + n * 7) % 300))
    const stay = { check_in: checkIn, check_out: addDays(checkIn, 1 + (n % 5)) }
    const body = { destination_id: destinationId, ...stay, occupancies: [{ adults: 2 }], currency: 'EUR' }
    return { method: 'POST', path: request.path, body: vendors === undefined ? body : { ...body, vendors } }
  }
}

const hash = (text: string): number => [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 997, 7)
