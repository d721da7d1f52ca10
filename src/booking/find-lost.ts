import type { RequestContext } from '../lib/async/call-context.ts'
import type { Clock } from '../lib/time/clock.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { dateIn } from '../lib/time/plain-date.ts'
import type { Receipt, Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { vendorFailure } from './refusals.ts'

const LOOKUP_TIMEOUT_MS = 10_000

/** `receipt` is undefined if the vendor has nothing under any reference. */
export type FoundAtVendor = { readonly reference: string; readonly receipt: Receipt | undefined }

type Lookup = {
  readonly references: readonly [string, ...string[]]
  readonly email: string
  /** Time of the newest booking that was not lost. */
  readonly since: number | undefined
}

/**
 * Looks up an earlier attempt of this request at the vendor, whose booking our database may have lost. An active booking
 * takes precedence; otherwise the first unused reference is free.
 */
export async function findLost(
  { clock }: { readonly clock: Clock },
  vendor: Vendor,
  { references, email, since }: Lookup,
  context: RequestContext,
): Promise<FoundAtVendor> {
  const createdOn = dateIn('UTC', clock.now())
  const createdSince = since === undefined ? createdOn : dateIn('UTC', since)
  using deadline = startDeadline(LOOKUP_TIMEOUT_MS)
  const calling = { ...context, signal: deadline.signal }
  const find = async (reference: string): Promise<FoundAtVendor> => {
    return { reference, receipt: await vendor.find({ reference, email, createdOn, createdSince }, calling) }
  }
  const found = await Promise.all(references.map(find)).catch((error: unknown) => {
    if (!(error instanceof VendorError)) throw error
    throw vendorFailure(error, 'Nothing was sent')
  })
  const isActive = ({ receipt }: FoundAtVendor) =>
    receipt !== undefined && receipt.state !== 'cancelled' && receipt.state !== 'rejected'
  const [first] = references
  return (
    found.find(isActive) ??
    found.find(({ receipt }) => receipt === undefined) ??
    found.at(-1) ?? { reference: first, receipt: undefined }
  )
}
