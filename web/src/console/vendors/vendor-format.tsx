import type { ReactNode } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'

type Schemas = components['schemas']
export type Vendor = Schemas['VendorHealth']
export type VendorDetail = Schemas['VendorDetail']
export type Calls = Schemas['VendorCallWindow']
type Kind = Calls['errors'][number]['kind']

/** Processes report their counts every 15 seconds. */
export const REFRESH_MS = 15_000

export const ERROR_KIND_NAMES: Readonly<Record<Kind, string>> = {
  refused: 'Refused (4xx)',
  credentials: 'Credentials refused',
  throttled: 'Too many requests (429)',
  server_error: 'Server error (5xx)',
  timeout: 'Timeout',
  given_up: 'Aborted by the client',
  unreachable: 'No connection',
  malformed: 'Unreadable response',
  misconfigured: 'Refused because of a setting',
  breaker_open: 'Not sent: breaker open',
  held_back: 'Not sent: limit or pause',
  internal: 'Internal error',
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
  half_open: ['Probing', 'bg-warn-wash text-warn'],
  open: ['Breaker open', 'bg-bad-wash text-bad'],
} as const

/** `closed`: label for a closed breaker. */
export function BreakerTag({ state, closed = 'Answering' }: { state: Vendor['breaker']; closed?: string }) {
  const [text, look] = BREAKERS[state]
  return <span className={`tag whitespace-nowrap ${look}`}>{state === 'closed' ? closed : text}</span>
}

export const formatNumber = (value: number): string => value.toLocaleString('en-GB')
export const formatMilliseconds = (ms: number | null): string => (ms === null ? '–' : `${formatNumber(ms)} ms`)

export const formatFailureRate = ({ calls, failures }: Calls): string =>
  calls === 0 ? '–' : `${((failures / calls) * 100).toFixed(failures === 0 ? 0 : 1)} %`

/** Single failures are normal; from one in twenty, something is wrong. */
const ALARMING_SHARE = 0.05

export function FailureRate({ calls }: { calls: Calls }) {
  const isAlarming = calls.failures > 0 && calls.failures >= calls.calls * ALARMING_SHARE
  return <span className={isAlarming ? 'font-semibold text-bad' : ''}>{formatFailureRate(calls)}</span>
}

/** Searches per booking, if the ratio is defined. */
export function formatLookToBook({ searches, bookings, ratio }: Schemas['LookToBook']): ReactNode {
  if (ratio !== null) return `${formatNumber(ratio)} : 1`
  return searches === 0 && bookings === 0 ? '–' : `${formatNumber(searches)} : 0`
}
