import type { CallClass } from '../src/vendors/transport/call.ts'

/** One call to the vendor while a sample was played. */
export type Exchange = {
  readonly sample: string
  readonly step: string
  readonly operation: string
  readonly class: CallClass
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Undefined if there was no response; `fault` has the reason. */
  readonly status: number | undefined
  readonly answer: unknown
  readonly fault: string | undefined
  /** File in the dossier. */
  readonly file: string
}

/** A response shown to the client at one step. */
export type Shown = {
  readonly sample: string
  readonly step: string
  readonly status: number
  readonly body: unknown
  readonly file: string
}

/** Everything that was recorded. The names are those of the guests, not of the account's holder. */
export type Evidence = {
  readonly exchanges: readonly Exchange[]
  readonly shown: readonly Shown[]
  readonly guests: readonly { readonly givenName: string; readonly familyName: string }[]
  readonly holder: { readonly name: string }
  readonly customerIp: string
}

/** Files that prove the point, or a description of what is missing, or the reason why there was nothing to show. */
export type Verdict =
  | { readonly files: readonly string[] }
  | { readonly missing: string }
  | { readonly notSent: string }

export type ReviewPoint = {
  readonly id: string
  readonly area: string
  readonly title: string
  judge(evidence: Evidence): Verdict
}

/** Requirements that a vendor checks before it issues live keys. */
export type Review = {
  /** Only hosts at which samples may be booked. */
  readonly testHosts: readonly string[]
  /** Operations that require a client certificate, at the vendor's test host and at the stand-in. */
  needsCertificate?(method: string, path: string): boolean
  /** Calls per second that the vendor's test environment accepts; unlimited if absent. */
  readonly callsPerSecond?: number
  /** Settings that a sample booking requires. */
  readonly settings: Readonly<Record<string, string>>
  /** Reason not to book samples with these settings, for a vendor whose test and live hosts are the same. */
  validateSettings?(settings: Readonly<Record<string, string>>): string | undefined
  readonly points: readonly ReviewPoint[]
  /** True if these calls check a rate that requires a recheck; for vendors that have such rates. */
  isRecheck?(checks: readonly Exchange[], earlier: readonly Exchange[]): boolean
}
