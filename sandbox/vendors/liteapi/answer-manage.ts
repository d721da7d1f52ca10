import { toMajor } from '../../../src/domain/money/money.ts'
import { dateIn, isPlainDate } from '../../../src/lib/time/plain-date.ts'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import { type LedgerEntry, releaseRooms } from '../../server/ledger.ts'
import { hashShare, hashText } from '../../world/hash.ts'
import {
  computeCancelFee,
  type Kept,
  presentFull,
  presentInList,
  presentListed,
  readKept,
  settleCancellation,
} from './kept-booking.ts'
import type { ShopParts } from './price-offers.ts'
import { readSetting } from './settings.ts'
import { json, missing, noContent, problem, unchanged } from './vendor-words.ts'

/** Prefix of booking ids of the other environment. Such bookings are made up on request. */
const OTHER_ENVIRONMENT = 'Xo'

/** Both environments answer a lookup by reference. */
export function answerFind(
  shop: ShopParts,
  query: URLSearchParams,
  faults: readonly Fault[],
  now: number,
): StandInAnswer {
  const reference = query.get('clientReference') ?? ''
  if (reference === '') return missing('required guestId or clientReference')
  const lines = hasFault(faults, 'missing')
    ? []
    : shop.ledger.visible(reference, now).filter((line) => line.ourReference === reference)
  const bookings = [...new Map(lines.map((line) => [line.vendorReference, readKept(line)])).values()]
  const hasOther = hashShare(hashText(reference), 72) < readSetting(shop.settings, 'otherEnvironment')
  const data = bookings.map((kept) => presentListed(shop.settings, kept, now))
  const other = hasOther
    ? [{ bookingId: `${OTHER_ENVIRONMENT}${reference}`, clientReference: reference, status: 'CONFIRMED', sandbox: 0 }]
    : []
  return json(200, { data: [...other, ...data] })
}

/** All bookings of the key's environment that were made in a period; there are no pages. */
export function answerList(shop: ShopParts, query: URLSearchParams, now: number): StandInAnswer {
  const [from, to] = ['bookingStartDate', 'bookingEndDate'].map((name) => query.get(name) ?? '')
  if (from === undefined || to === undefined || !isPlainDate(from) || !isPlainDate(to))
    return problem(400, 400, 'Invalid startDate or endDate')
  const lines = shop.ledger.current().filter((line) => line.visibleFrom <= now)
  const bookings = [...new Map(lines.map((line) => [line.vendorReference, readKept(line)])).values()]
  const made = bookings.filter(({ createdAt }) => {
    const day = dateIn('UTC', createdAt)
    return from <= day && day <= to
  })
  const data = query.get('sandbox') === '0' ? [] : made.map((kept) => presentInList(shop.settings, kept))
  return json(200, { count: data.length, data })
}

export function answerDetail(shop: ShopParts, bookingId: string, faults: readonly Fault[], now: number): StandInAnswer {
  if (bookingId.startsWith(OTHER_ENVIRONMENT)) {
    const clientReference = bookingId.slice(OTHER_ENVIRONMENT.length)
    return json(200, {
      data: { bookingId, clientReference, status: 'CONFIRMED', price: 1, currency: 'USD', sandbox: 0 },
    })
  }
  const [line] = hasFault(faults, 'missing') ? [] : findLines(shop, bookingId, now)
  return line === undefined ? noContent : json(200, { data: presentFull(shop.settings, readKept(line), now) })
}

const findLines = ({ ledger }: ShopParts, bookingId: string, now: number): LedgerEntry[] =>
  ledger.visible(bookingId, now).filter((line) => line.vendorReference === bookingId)

/** Cancels the whole booking, without a preview. */
export function answerCancel(shop: ShopParts, bookingId: string, now: number): StandInAnswer {
  const lines = findLines(shop, bookingId, now)
  const kept = lines[0] && readKept(lines[0])
  if (kept === undefined) return noContent
  const draw = hashShare(hashText(bookingId), 73)
  if (kept.cancelledFor !== undefined) {
    return draw < readSetting(shop.settings, 'repeatedCancels')
      ? presentCancelled(shop, kept, kept.cancelledFor)
      : unchanged
  }
  const isBinding =
    kept.rooms.some(({ ladder }) => ladder.tag === 'NRFN') && draw < readSetting(shop.settings, 'bindingBookings')
  if (isBinding || dateIn(kept.timezone, now) > kept.checkIn) return unchanged
  const fee = computeCancelFee(kept, now)
  for (const line of lines) {
    releaseRooms(shop, line, line.count)
    shop.ledger.append({ ...line, status: 'cancelled', raw: { ...kept, cancelledFor: fee } })
  }
  return presentCancelled(shop, kept, fee)
}

function presentCancelled(shop: ShopParts, kept: Kept, cancelledFor: number): StandInAnswer {
  const { bookingId, currency } = kept
  const { status, fee, refund } = settleCancellation(shop.settings, kept, cancelledFor)
  const amount = (minor: number) => toMajor({ minor, currency })
  return json(200, {
    data: {
      bookingId,
      status,
      cancellation_fee: amount(fee),
      refund_amount: amount(refund),
      currency,
    },
    sandbox: true,
  })
}
