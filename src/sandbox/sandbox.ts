import type { Fault } from './faults.ts'
import type { LedgerEntry } from './ledger.ts'
import type { SandboxVendor } from './world/contract.ts'

/** What a test or an operator may do to one stand-in. */
export type VendorControl = {
  addFaults(...faults: readonly Fault[]): Promise<void>
  clearFaults(): Promise<void>
  faults(): Promise<readonly Fault[]>
  /** How each booking stands in the stand-in's own book. */
  ledger(): Promise<readonly LedgerEntry[]>
}

/** The stand-ins of all vendors, in this process or in one of its own. */
export type Sandbox = {
  /** The variables by which the registry connects to the stand-ins instead of the real vendors. */
  readonly environment: Readonly<Record<string, string>>
  readonly origins: Readonly<Record<SandboxVendor, string>>
  readonly control: Readonly<Record<SandboxVendor, VendorControl>>
  close(): Promise<void>
}
