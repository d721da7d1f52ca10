import { dateIn, isPlainDate } from '../../lib/plain-date.ts'
import { answerDetail, bookingSeen, type Desk } from './answer-bookings.ts'
import { cancelFeeOf, type Kept, presentCancelled, presentListed } from './kept-booking.ts'
import { invalidData, invalidRequest, noSuchBooking, ok, productError, type Said } from './vendor-words.ts'

const WINDOW_DAYS_MAX = 31

export function answerFind(desk: Desk, query: URLSearchParams, now: number): Said {
  const [start, end, from, to] = ['start', 'end', 'from', 'to'].map((name) => query.get(name) ?? '')
  if (!isPlainDate(start ?? '') || !isPlainDate(end ?? '')) return invalidRequest('start and end are mandatory')
  const [first, last] = [Number(from), Number(to)]
  if (!(first >= 1 && last >= first)) return invalidRequest('from and to are mandatory')
  const days = (Date.parse(end ?? '') - Date.parse(start ?? '')) / 86_400_000
  if (days < 0 || days > WINDOW_DAYS_MAX) return invalidData(`The number of days must be <= ${WINDOW_DAYS_MAX}`)
  const wanted = query.get('clientReference')?.toUpperCase()
  const status = query.get('status') ?? 'ALL'
  const byCheckIn = query.get('filterType') !== 'CREATION'
  const seen = new Map<string, Kept>()
  for (const line of desk.ledger.current()) {
    const kept = line.raw as Kept
    const day = byCheckIn ? kept.checkIn : kept.creationDate
    if (line.visibleFrom > now || day < (start ?? '') || day > (end ?? '')) continue
    if (wanted !== undefined && kept.clientReference.toUpperCase() !== wanted) continue
    if (status !== 'ALL' && status !== line.status.toUpperCase()) continue
    seen.set(kept.reference, kept)
  }
  const all = [...seen.values()]
  const page = all.slice(first - 1, last)
  return ok({
    bookings: {
      ...(page.length > 0 && { bookings: page.map(presentListed) }),
      from: first,
      to: last,
      total: all.length,
    },
  })
}

export function answerRead(desk: Desk, reference: string, now: number): Said {
  const lines = bookingSeen(desk, reference, now)
  return lines.length === 0 ? noSuchBooking : ok(answerDetail(lines))
}

/** Without a flag this cancels for real, as Hotelbeds does. */
export function answerCancel(desk: Desk, reference: string, flag: string, now: number): Said {
  const lines = bookingSeen(desk, reference, now)
  const kept = lines[0]?.raw as Kept | undefined
  if (kept === undefined) return noSuchBooking
  if (flag !== 'SIMULATION' && flag !== 'CANCELLATION') return invalidRequest('Error at property cancellationFlag')
  if (kept.cancelledFor !== undefined) return invalidData('The booking is already cancelled', 409)
  if (dateIn(kept.timezone, now) > kept.checkIn) {
    return productError('BOOKING_CANCEL', 'Cannot cancel a booking after the check-in')
  }
  const fee = cancelFeeOf(kept, now)
  if (flag === 'CANCELLATION') {
    for (const line of lines) {
      const room = desk.world.property(line.propertyKey)?.rooms.find(({ number }) => number === line.roomNumber)
      if (room !== undefined) desk.allotment.giveBack(line.propertyKey, room, line.nights, line.count)
      desk.ledger.append({ ...line, status: 'cancelled', raw: { ...kept, cancelledFor: fee } })
    }
  }
  return ok({ booking: presentCancelled(kept, fee) })
}
