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
  /** Undefined where no answer came; then `fault` says why. */
  readonly status: number | undefined
  readonly answer: unknown
  readonly fault: string | undefined
  /** Where the dossier has it. */
  readonly file: string
}

/** What we showed to the client at one step. */
export type Shown = {
  readonly sample: string
  readonly step: string
  readonly status: number
  readonly body: unknown
  readonly file: string
}

/** All that was recorded. The names are those of the guests, who are not the account's holder. */
export type Evidence = {
  readonly exchanges: readonly Exchange[]
  readonly shown: readonly Shown[]
  readonly guests: readonly { readonly givenName: string; readonly familyName: string }[]
  readonly holder: { readonly name: string }
  readonly customerIp: string
}

/** Files that show it; or what is missing; or that there was nothing to show. */
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

/** What a vendor looks at before it gives live keys. */
export type Review = {
  /** Bookings are only ever played at these. */
  readonly testHosts: readonly string[]
  /** Settings that a played booking must have. */
  readonly settings: Readonly<Record<string, string>>
  /** Why bookings must not be played with these settings, for a vendor whose test and live hosts are the same. */
  objectionTo?(settings: Readonly<Record<string, string>>): string | undefined
  readonly points: readonly ReviewPoint[]
  /** Whether these calls check a rate that must be checked before it is booked; for vendors that have such. */
  isRecheck?(checks: readonly Exchange[], earlier: readonly Exchange[]): boolean
}
