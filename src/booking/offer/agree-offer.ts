import { soldOffer } from '../../domain/booking/apply-sale.ts'
import { noticeChanges, type TermChange } from '../../domain/booking/compare-terms.ts'
import { convertMoney } from '../../domain/money/exchange.ts'
import { toMajor } from '../../domain/money/money.ts'
import type { SealedOffer } from '../../domain/sealed-offer.ts'
import type { RequestContext } from '../../lib/async/call-context.ts'
import type { SearchStore } from '../../search/store/searches.ts'
import type { World, Worlds } from '../../search/world.ts'
import type { Vendor } from '../../vendors/contract.ts'
import { OfferChanged, SoldOut } from '../refusals.ts'
import { type CheckDeps, checkOffer, describeChange } from './check-offer.ts'
import { findAlternatives } from './describe-offer.ts'
import { digestTerms } from './terms-digest.ts'

export type AgreeDeps = CheckDeps & { readonly searches: SearchStore; readonly worlds: Worlds }

/** The client's consent to the terms. */
export type Consent = { readonly termsDigest: string | undefined; readonly acceptPriceUpTo: number | undefined }

export type AgreedOffer = {
  /** The vendor's current offer. */
  readonly fresh: SealedOffer
  readonly changes: readonly TermChange[]
}

/** Returns the vendor's current offer if the client accepted its terms. Books nothing. */
export async function agreeOffer(
  deps: AgreeDeps,
  world: World,
  vendor: Vendor,
  offer: SealedOffer,
  consent: Consent,
  context: RequestContext,
): Promise<AgreedOffer> {
  const checked = await checkOffer(deps, world, vendor, offer, context)
  if (checked === 'sold_out') throw new SoldOut(await findAlternatives(deps, offer), offer.simulated)
  const { fresh, changes } = checked
  const digest = consent.termsDigest
  // The digest of the current terms accepts them, whatever was shown before.
  if (digest !== undefined && digest === digestTerms(fresh, deps.clock.now())) return { fresh, changes }
  const offerChanged = async (code: 'price_changed' | 'terms_changed', differences = changes) =>
    new OfferChanged(code, await describeChange(deps, world, offer, { fresh, changes: differences }))

  if (digest !== undefined) {
    const notices = noticeChanges(offer, fresh)
    const matchesOffer = digest === digestTerms(offer, offer.checkedAt ?? deps.clock.now())
    if (!matchesOffer || notices.length > 0) throw await offerChanged('terms_changed', [...changes, ...notices])
    // The client agreed to the exact amount.
    if (checked.hiddenIncrease !== undefined && !isPriceAccepted(deps, offer, fresh, consent))
      throw await offerChanged('price_changed', [checked.hiddenIncrease, ...changes])
  }
  if (checked.worse.length > 0) throw await offerChanged('terms_changed')
  if (checked.costsMore && !isPriceAccepted(deps, offer, fresh, consent)) throw await offerChanged('price_changed')
  return { fresh, changes }
}

function isPriceAccepted(deps: AgreeDeps, offer: SealedOffer, fresh: SealedOffer, consent: Consent): boolean {
  const shown = convertMoney(soldOffer(fresh).price.total, offer.market.currency, deps.rates())
  return shown !== undefined && toMajor(shown) <= (consent.acceptPriceUpTo ?? -1)
}
