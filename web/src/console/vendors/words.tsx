import type { ReactNode } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'

type Schemas = components['schemas']
export type Vendor = Schemas['VendorHealth']
export type VendorDetail = Schemas['VendorDetail']
export type Calls = Schemas['VendorCallWindow']
type Kind = Calls['errors'][number]['kind']

/** Processes tell what they have counted every quarter of a minute. */
export const REFRESH_MS = 15_000

export const KINDS: Readonly<Record<Kind, string>> = {
  refused: 'Refused (4xx)',
  credentials: 'Credentials refused',
  throttled: 'Too many requests (429)',
  server_error: 'Server error (5xx)',
  timeout: 'No answer in time',
  given_up: 'Given up by the client',
  unreachable: 'No connection',
  malformed: 'Answer not readable',
  breaker_open: 'Not sent: breaker open',
  held_back: 'Not sent: limit or pause',
  internal: 'Error of ours',
}

const ENVIRONMENTS = {
  sandbox: ['Sandbox', 'bg-sunk text-ink'],
  test: ['Test', 'bg-warn-wash text-warn'],
  live: ['Live', 'bg-good-wash text-good'],
} as const

export function Environment({ name }: { name: Vendor['environment'] }) {
  const [text, look] = ENVIRONMENTS[name]
  return <span className={`tag ${look}`}>{text}</span>
}

const BREAKERS = {
  closed: ['Answering', 'bg-good-wash text-good'],
  half_open: ['Being tried again', 'bg-warn-wash text-warn'],
  open: ['Breaker open', 'bg-bad-wash text-bad'],
} as const

/** `closed`: what to call it while nothing is wrong. */
export function BreakerTag({ state, closed = 'Answering' }: { state: Vendor['breaker']; closed?: string }) {
  const [text, look] = BREAKERS[state]
  return <span className={`tag whitespace-nowrap ${look}`}>{state === 'closed' ? closed : text}</span>
}

export const number = (value: number): string => value.toLocaleString('en-GB')
export const milliseconds = (ms: number | null): string => (ms === null ? '–' : `${number(ms)} ms`)

export const shareOf = ({ calls, failures }: Calls): string =>
  calls === 0 ? '–' : `${((failures / calls) * 100).toFixed(failures === 0 ? 0 : 1)} %`

/** Searches for each booking, or why there is no such figure. */
export function ratioOf({ searches, bookings, ratio }: Schemas['LookToBook']): ReactNode {
  if (ratio !== null) return `${number(ratio)} : 1`
  return searches === 0 && bookings === 0 ? '–' : `${number(searches)} : 0`
}
