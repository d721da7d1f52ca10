import type { OwnsOffer } from '../../accounts/offer-owner.ts'
import { AppError } from '../../domain/errors.ts'
import type { OpenedOffer } from '../../domain/sealed-offer.ts'
import type { Simulation } from '../../domain/simulation.ts'
import { computeFingerprint } from '../../lib/crypto/fingerprint.ts'
import type { World, Worlds } from '../../search/world.ts'
import type { Vendor } from '../../vendors/contract.ts'

type Context = {
  readonly simulation: Simulation | undefined
  /** Seed and rooms of the sample that the simulation header returns for an unknown offer. */
  readonly sample: { readonly request: unknown; readonly rooms: number }
}

/** Accepts only offers sealed for this account; undefined for any other. */
export async function acceptOffer(
  { worlds, ownsOffer }: { readonly worlds: Worlds; readonly ownsOffer: OwnsOffer },
  accountId: string,
  offer: OpenedOffer | undefined,
  { simulation, sample }: Context,
): Promise<OpenedOffer | undefined> {
  const isOurs = offer !== undefined && (await ownsOffer(accountId, offer.accountId))
  const world = worlds.select(simulation)
  if (isOurs && (offer.simulated || !world.simulated)) return { ...offer, accountId }
  return world.samples?.offer(accountId, computeFingerprint([accountId, sample.request]), sample.rooms)
}

export function requireOfferVendor({ vendors }: World, { vendorId }: OpenedOffer): Vendor {
  const vendor = vendors.find(({ id }) => id === vendorId)
  if (vendor === undefined) throw new AppError('offer_invalid', 'The vendor of this offer is no longer connected.')
  return vendor
}
