import { dateIn, isPlainDate } from '../../../src/lib/time/plain-date.ts'
import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import { releaseRooms } from '../../server/ledger.ts'
import type { Json } from '../../server/read-json.ts'
import { answerDetail, type BookingDeps, visibleLines } from './answer-bookings.ts'
import { amendKept } from './change-booking.ts'
import {
  computeCancelFee,
  type Kept,
  presentCancelled,
  presentFull,
  presentListed,
  presentReconfirmed,
} from './kept-booking.ts'
import { bookingNotFound, invalidData, productError, type Reply, requestError, success } from './vendor-words.ts'

/** The vendor has a limit here, but its value is not documented. */
const WINDOW_DAYS_MAX = 31
const PAGE_MAX = 25

export function answerFind(deps: BookingDeps, query: URLSearchParams, faults: readonly Fault[], now: number): Reply {
  const [start, end, from, to] = ['start', 'end', 'from', 'to'].map((name) => query.get(name) ?? '')
  if (!isPlainDate(start ?? '') || !isPlainDate(end ?? '')) return requestError('start and end are mandatory')
  const [first, last] = [Number(from), Number(to)]
  if (!(first >= 1 && last >= first)) return requestError('from and to are mandatory')
  if (last - first >= PAGE_MAX) return invalidData(`The number of bookings must be <= ${PAGE_MAX}`)
  const days = (Date.parse(end ?? '') - Date.parse(start ?? '')) / 86_400_000
  if (days < 0 || days > WINDOW_DAYS_MAX) return invalidData(`The number of days must be <= ${WINDOW_DAYS_MAX}`)
  const wanted = query.get('clientReference')?.toUpperCase()
  const status = query.get('status') ?? 'ALL'
  const byCheckIn = query.get('filterType') !== 'CREATION'
  const seen = new Map<string, Kept>()
  for (const line of deps.ledger.current()) {
    const kept = line.raw as Kept
    const day = byCheckIn ? kept.checkIn : kept.creationDate
    if (line.visibleFrom > now || day < (start ?? '') || day > (end ?? '')) continue
    if (wanted !== undefined && kept.clientReference.toUpperCase() !== wanted) continue
    if (status !== 'ALL' && status !== line.status.toUpperCase()) continue
    seen.set(kept.reference, kept)
  }
  const all = hasFault(faults, 'missing') ? [] : [...seen.values()]
  const page = all.slice(first - 1, last)
  return success({
    bookings: {
      ...(page.length > 0 && { bookings: page.map(presentListed) }),
      from: first,
      to: last,
      total: all.length,
    },
  })
}

export function answerRead(deps: BookingDeps, reference: string, faults: readonly Fault[], now: number): Reply {
  const lines = hasFault(faults, 'missing') ? [] : visibleLines(deps, reference, now)
  return lines.length === 0 ? bookingNotFound : success(answerDetail(lines))
}

const REFERENCES_MAX = 80

/** The hotels' own confirmation numbers, if available. Only one of the four filters is supported: by booking. */
export function answerReconfirmations(deps: BookingDeps, query: URLSearchParams, now: number): Reply {
  const [first, last] = [Number(query.get('from')), Number(query.get('to'))]
  if (!(first >= 1 && last >= first)) return requestError('from and to are mandatory')
  const references = query.get('references')?.split(',') ?? []
  if (references.length === 0) return requestError('a filter is mandatory')
  if (references.length > REFERENCES_MAX) return invalidData(`The number of references must be <= ${REFERENCES_MAX}`)
  const known = references
    .flatMap((reference) => visibleLines(deps, reference, now).slice(0, 1))
    .map(({ raw }) => raw as Kept)
    .filter((kept) => kept.cancelledFor === undefined && now >= kept.createdAt + deps.settings.confirmationMs)
  return success({ bookings: known.slice(first - 1, last).map(presentReconfirmed) })
}

const DEAR_CHANGE_MINOR = 1_000

/** Applies changed guests and remarks; ignores everything else. */
export function answerAmend(deps: BookingDeps, reference: string, body: Json, now: number): Reply {
  const lines = visibleLines(deps, reference, now)
  const kept = lines[0]?.raw as Kept | undefined
  if (kept === undefined) return bookingNotFound
  if (body.mode !== 'UPDATE' && body.mode !== 'SIMULATION') return requestError('Error at property mode')
  if (kept.cancelledFor !== undefined) return invalidData('The booking cannot be amended', 409)
  const extra = deps.settings.dearChanges === 1 ? DEAR_CHANGE_MINOR : 0
  const amended = amendKept(kept, body.booking, extra)
  if (body.mode === 'UPDATE') for (const line of lines) deps.ledger.append({ ...line, raw: amended })
  return success({ booking: presentFull(amended) })
}

/** Without a flag this really cancels, like Hotelbeds. */
export function answerCancel(deps: BookingDeps, reference: string, flag: string, now: number): Reply {
  const lines = visibleLines(deps, reference, now)
  const kept = lines[0]?.raw as Kept | undefined
  if (kept === undefined) return bookingNotFound
  if (flag !== 'SIMULATION' && flag !== 'CANCELLATION') return requestError('Error at property cancellationFlag')
  if (kept.cancelledFor !== undefined) return invalidData('The booking is already cancelled', 409)
  if (dateIn(kept.timezone, now) > kept.checkIn) {
    return productError('BOOKING_CANCEL', 'Cannot cancel a booking after the check-in')
  }
  const fee = computeCancelFee(kept, now)
  if (flag === 'CANCELLATION') {
    for (const line of lines) {
      releaseRooms(deps, line, line.count)
      deps.ledger.append({ ...line, status: 'cancelled', raw: { ...kept, cancelledFor: fee } })
    }
  }
  return success({ booking: presentCancelled(kept, fee) })
}
