import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bookingContract } from './booking-contract.ts'
import { type Ability, createSteps, type Steps, type VendorBench } from './contract-steps.ts'
import { readingContract } from './reading-contract.ts'
import { shoppingContract } from './shopping-contract.ts'
import { wireContract } from './wire-contract.ts'

export type { VendorBench } from './contract-steps.ts'

type Options = {
  /** False for the simulator, which has no network and stores no bookings; such tests are skipped. */
  readonly isInProcess?: boolean
  readonly can?: readonly Ability[]
  /** Contracts that only some sandboxes support. */
  more?(steps: Steps): void
}

/** Behaviour that every vendor must have in common; the code above the adapters relies on it alone. */
export function vendorContract(
  name: string,
  setup: () => Promise<VendorBench>,
  { isInProcess = false, can = [], more = () => undefined }: Options = {},
): void {
  describe(name, () => {
    let bench: VendorBench
    beforeEach(async () => {
      bench = await setup()
    })
    afterEach(() => bench.close())

    const steps = createSteps(() => bench, !isInProcess, can)
    test('its contract test lists exactly its abilities', () => {
      const { capabilities, amend, listCancelled, listBookings } = bench.vendor
      expect({
        languages: capabilities.languages !== undefined,
        amend: amend !== undefined,
        list_cancelled: listCancelled !== undefined,
        list_bookings: listBookings !== undefined,
      }).toEqual({
        languages: steps.can('languages'),
        amend: steps.can('amend'),
        list_cancelled: steps.can('list_cancelled'),
        list_bookings: steps.can('list_bookings'),
      })
    })
    shoppingContract(steps)
    bookingContract(steps)
    if (!isInProcess) wireContract(steps)
    if (!isInProcess) readingContract(steps)
    more(steps)
  })
}
