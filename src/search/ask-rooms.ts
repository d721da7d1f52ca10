import type { RoomOffer } from '../domain/offer.ts'
import type { Market, Stay } from '../domain/stay.ts'
import { occupancyKey } from '../domain/stay.ts'
import type { CallContext } from '../lib/call-context.ts'
import { monotonicMs } from '../lib/clock.ts'
import type { Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import type { VendorReport } from './ask-vendors.ts'
import type { SharedAnswers } from './shared-answers.ts'

export type VendorRooms = {
  readonly vendorId: string
  readonly vendorPropertyId: string
  readonly rooms: readonly RoomOffer[]
}

export type RoomsQuestion = {
  readonly vendors: readonly { readonly vendorId: string; readonly vendorPropertyId: string }[]
  readonly stay: Stay
  readonly market: Market
  readonly timezone: string
}

type Deps = {
  readonly vendors: readonly Vendor[]
  readonly roomAnswers: SharedAnswers<readonly RoomOffer[]>
  onBug(error: unknown, vendorId: string): void
}

/** Fresh rooms from every vendor of one property, in parallel; a vendor that fails costs only its own. */
export async function askRooms(
  deps: Deps,
  question: RoomsQuestion,
  context: CallContext,
): Promise<{ rooms: VendorRooms[]; reports: VendorReport[] }> {
  const answers = await Promise.all(question.vendors.map((at) => askOne(deps, at, question, context)))
  return { rooms: answers.map((answer) => answer.rooms), reports: answers.map((answer) => answer.report) }
}

async function askOne(deps: Deps, at: RoomsQuestion['vendors'][number], question: RoomsQuestion, context: CallContext) {
  const startedAt = monotonicMs()
  const answer = (status: VendorReport['status'], rooms: readonly RoomOffer[]) => ({
    rooms: { ...at, rooms },
    report: {
      vendorId: at.vendorId,
      status,
      properties: rooms.length > 0 ? 1 : 0,
      tookMs: Math.round(monotonicMs() - startedAt),
    },
  })
  const vendor = deps.vendors.find(({ id }) => id === at.vendorId)
  if (vendor === undefined || question.stay.occupancies.length > vendor.capabilities.roomsMax)
    return answer('skipped', [])
  const { stay, market, timezone } = question
  const key = [
    at.vendorId,
    at.vendorPropertyId,
    stay.checkIn,
    stay.checkOut,
    stay.occupancies.map(occupancyKey).join('+'),
    market.currency,
    market.language,
    market.countryCode,
  ].join('|')
  try {
    const rooms = await deps.roomAnswers(key, context.signal, (signal) =>
      vendor.rooms({ vendorPropertyId: at.vendorPropertyId, stay, market, timezone }, { ...context, signal }),
    )
    return answer('ok', rooms)
  } catch (error) {
    if (context.signal.aborted) return answer('timeout', [])
    if (error instanceof VendorError) return answer(error.fault === 'timeout' ? 'timeout' : 'error', [])
    deps.onBug(error, at.vendorId)
    return answer('internal', [])
  }
}
