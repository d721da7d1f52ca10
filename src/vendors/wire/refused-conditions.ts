import type { Conditions } from '../../domain/offer.ts'
import { VendorError } from '../vendor-error.ts'

/** Rejects with `condition_refused` if the vendor's refusal of a search names one of the filters sent for conditions. */
export async function reportRefusedConditions<T>(
  conditions: Conditions | undefined,
  filterNames: RegExp,
  request: Promise<T>,
): Promise<T> {
  try {
    return await request
  } catch (error) {
    if (conditions === undefined || !(error instanceof VendorError)) throw error
    if (error.fault !== 'refused' || !filterNames.test(error.detail)) throw error
    throw new VendorError(error.vendor, 'condition_refused', 'none', { detail: error.detail, cause: error })
  }
}
