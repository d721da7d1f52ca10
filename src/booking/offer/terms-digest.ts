import { soldOffer } from '../../domain/booking/apply-sale.ts'
import type { Terms } from '../../domain/booking/compare-terms.ts'
import type { CancelTerms } from '../../domain/offer.ts'
import type { SealedOffer } from '../../domain/sealed-offer.ts'
import { computeFingerprint } from '../../lib/crypto/fingerprint.ts'

type Agreed = Terms & Pick<SealedOffer, 'propertyId' | 'vendorId' | 'roomId' | 'roomName' | 'beds' | 'stay' | 'sale'>

/** Equal if a customer would accept the same. Cancellation steps that have begun at `at` are equal. */
export function digestTerms(agreedOffer: Agreed, at: number): string {
  const offer = soldOffer(agreedOffer)
  const { total, dueAtProperty, fees } = offer.price
  const agreed = {
    property: [offer.vendorId, offer.propertyId],
    room: [offer.roomId, offer.roomName, offer.beds, offer.board],
    stay: offer.stay,
    price: { total, dueAtProperty, fees },
    cancel: cancelKey(offer.cancel, at),
    notices: (offer.notices ?? []).map(({ kind, title, text, url }) => [kind, title, text, url ?? '']),
  }
  return `trm1_${computeFingerprint(agreed).slice(0, 40)}`
}

/** The digits of a digest may look like a card number by chance. */
export const isTermsDigest = (text: unknown): boolean => typeof text === 'string' && /^trm1_[0-9a-f]{40}$/.test(text)

function cancelKey(terms: CancelTerms | undefined, at: number) {
  if (terms === undefined) return null
  const steps = terms.penalties.map(({ from, until, amount }) => [
    momentKey(from, at),
    momentKey(until ?? '', at),
    amount,
  ])
  return { refundable: terms.refundable, steps }
}

/** The same instant may be written in several formats. */
function momentKey(moment: string, at: number): string | number {
  const instant = Date.parse(moment)
  if (Number.isNaN(instant)) return moment
  return instant <= at ? 'begun' : instant
}
