import { toMajor } from '../../../src/domain/money/money.ts'
import { dateIn } from '../../../src/lib/time/plain-date.ts'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import { type LedgerEntry, releaseRooms } from '../../server/ledger.ts'
import { hashText, hashShare } from '../../world/hash.ts'
import { feeOf, type Kept, keptIn, presentDetail, presentListed, settledOf } from './kept-booking.ts'
import type { ShopParts } from './price-offers.ts'
import { settingOf } from './settings.ts'
import { json, missing, nothing, unchanged } from './vendor-words.ts'

/** Bookings of the other environment have ids of their own; they are made up when they are asked for. */
const OTHER = 'Xo'

/** Both environments answer a look-up by reference. */
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
  const bookings = [...new Map(lines.map((line) => [line.vendorReference, keptIn(line)])).values()]
  const hasOther = hashShare(hashText(reference), 72) < settingOf(shop.settings, 'otherEnvironment')
  const data = bookings.map((kept) => presentListed(shop.settings, kept, now))
  const other = hasOther
    ? [{ bookingId: `${OTHER}${reference}`, clientReference: reference, status: 'CONFIRMED', sandbox: 0 }]
    : []
  return json(200, { data: [...other, ...data] })
}

export function answerDetail(shop: ShopParts, bookingId: string, faults: readonly Fault[], now: number): StandInAnswer {
  if (bookingId.startsWith(OTHER)) {
    const clientReference = bookingId.slice(OTHER.length)
    return json(200, {
      data: { bookingId, clientReference, status: 'CONFIRMED', price: 1, currency: 'USD', sandbox: 0 },
    })
  }
  const [line] = hasFault(faults, 'missing') ? [] : linesOf(shop, bookingId, now)
  return line === undefined ? nothing : json(200, { data: presentDetail(shop.settings, keptIn(line), now) })
}

const linesOf = ({ ledger }: ShopParts, bookingId: string, now: number): LedgerEntry[] =>
  ledger.visible(bookingId, now).filter((line) => line.vendorReference === bookingId)

/** The whole booking, and for real: there is no preview. */
export function answerCancel(shop: ShopParts, bookingId: string, now: number): StandInAnswer {
  const lines = linesOf(shop, bookingId, now)
  const kept = lines[0] && keptIn(lines[0])
  if (kept === undefined) return nothing
  const draw = hashShare(hashText(bookingId), 73)
  if (kept.cancelledFor !== undefined) {
    return draw < settingOf(shop.settings, 'repeatedCancels') ? cancelled(shop, kept, kept.cancelledFor) : unchanged
  }
  const isBinding =
    kept.rooms.some(({ ladder }) => ladder.tag === 'NRFN') && draw < settingOf(shop.settings, 'bindingBookings')
  if (isBinding || dateIn(kept.timezone, now) > kept.checkIn) return unchanged
  const fee = feeOf(kept, now)
  for (const line of lines) {
    releaseRooms(shop, line, line.count)
    shop.ledger.append({ ...line, status: 'cancelled', raw: { ...kept, cancelledFor: fee } })
  }
  return cancelled(shop, kept, fee)
}

function cancelled(shop: ShopParts, kept: Kept, cancelledFor: number): StandInAnswer {
  const { bookingId, currency } = kept
  const { status, fee, refund } = settledOf(shop.settings, kept, cancelledFor)
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
