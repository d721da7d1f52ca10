import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bookingContract } from './booking-contract.ts'
import { type Ability, createSteps, type Steps, type VendorBench } from './contract-steps.ts'
import { readingContract } from './reading-contract.ts'
import { shoppingContract } from './shopping-contract.ts'
import { wireContract } from './wire-contract.ts'

export type { VendorBench } from './contract-steps.ts'

type Options = {
  /** The simulator lives in this process and keeps no bookings: what a network and a memory are needed for is left out for it. */
  readonly isInProcess?: boolean
  readonly can?: readonly Ability[]
  /** Further contracts, which only some stand-ins can keep. */
  more?(steps: Steps): void
}

/** What every vendor must do alike; everything above the adapters is built on nothing else. */
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
    test('its contract test names exactly what it can do', () => {
      const { capabilities, amend, listCancelled } = bench.vendor
      expect({
        languages: capabilities.languages !== undefined,
        amend: amend !== undefined,
        list_cancelled: listCancelled !== undefined,
      }).toEqual({
        languages: steps.can('languages'),
        amend: steps.can('amend'),
        list_cancelled: steps.can('list_cancelled'),
      })
    })
    shoppingContract(steps)
    bookingContract(steps)
    if (!isInProcess) wireContract(steps)
    if (!isInProcess) readingContract(steps)
    more(steps)
  })
}
