import type { CancelTerms } from '../domain/offer.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'

/** Ends free cancellation some hours earlier. Terms that were never free, or are always free, stay unchanged. */
export function withBuffer(terms: CancelTerms, hours = 0): CancelTerms {
  const costly = terms.penalties.filter(({ amount }) => amount.minor > 0).map(({ from }) => Date.parse(from))
  const first = Math.min(...costly)
  if (hours <= 0 || !Number.isFinite(first)) return terms
  const penalties = terms.penalties.map((penalty) =>
    Date.parse(penalty.from) === first ? { ...penalty, from: hoursEarlier(penalty.from, hours) } : penalty,
  )
  return { ...terms, penalties }
}

/** Keeps the UTC offset, and returns a time that cannot be parsed unchanged. */
export function hoursEarlier(iso: string, hours: number): string {
  const instant = Date.parse(iso)
  const offset = /(?:Z|([+-])(\d\d):?(\d\d))$/.exec(iso)
  if (hours <= 0 || Number.isNaN(instant) || offset === null) return iso
  const [, sign, h = '0', m = '0'] = offset
  const minutes = (sign === '-' ? -1 : 1) * (Number(h) * 60 + Number(m))
  const local = new Date(instant - hours * HOUR_MS + minutes * MINUTE_MS).toISOString().slice(0, 19)
  return `${local}${offset[0]}`
}
