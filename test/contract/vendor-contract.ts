import { afterEach, beforeEach, describe } from 'vitest'
import { bookingContract } from './booking-contract.ts'
import { createSteps, type Steps, type VendorBench } from './contract-steps.ts'
import { readingContract } from './reading-contract.ts'
import { shoppingContract } from './shopping-contract.ts'
import { wireContract } from './wire-contract.ts'

export type { VendorBench } from './contract-steps.ts'

/**
 * What every vendor must do alike; everything above the adapters is built on nothing else. The simulator lives in this
 * process and keeps no bookings, so what a network and a memory are needed for is left out for it. `more` is what only some
 * stand-ins can do.
 */
export function vendorContract(
  name: string,
  setup: () => Promise<VendorBench>,
  isInProcess = false,
  more: (steps: Steps) => void = () => undefined,
): void {
  describe(name, () => {
    let bench: VendorBench
    beforeEach(async () => {
      bench = await setup()
    })
    afterEach(() => bench.close())

    const steps = createSteps(() => bench, !isInProcess)
    shoppingContract(steps)
    bookingContract(steps)
    if (!isInProcess) wireContract(steps)
    if (!isInProcess) readingContract(steps)
    more(steps)
  })
}
