import type { ContentStatus } from '../catalogue/sync/content-status.ts'

/** What an operator wants to know of one vendor's content, a line each. */
export function describeContent(status: ContentStatus): string[] {
  const { vendorId, properties, dropped, withoutRooms, fullAt, freshAt, feed, requestsToday, requestsPerDay, failure } =
    status
  const parts = [
    ...(dropped > 0 ? [`${count(dropped)} that the vendor no longer has`] : []),
    ...(withoutRooms > 0 ? [`rooms of ${count(withoutRooms)} still to be read`] : []),
  ]
  const isWhole = feed?.since === ''
  const share = feed?.total === undefined ? '' : ` of ${count(feed.total)}`
  const allowance = requestsPerDay === undefined ? '' : ` of ${count(requestsPerDay)}`
  return [
    `${vendorId}: ${count(properties)} properties${parts.length > 0 ? ` (${parts.join('; ')})` : ''}`,
    `  whole feed      ${moment(fullAt)}`,
    `  last read       ${moment(freshAt)}`,
    ...(feed === undefined
      ? []
      : [
          `  being read      ${count(feed.properties)}${share}, ${isWhole ? 'the whole feed' : `changes since ${feed.since}`}`,
        ]),
    `  requests today  ${count(requestsToday)}${allowance}`,
    ...(failure === undefined ? [] : [`  last failure    ${failure}`]),
  ]
}

export const count = (n: number) => Math.round(n).toLocaleString('en-US')
const moment = (at: number | undefined) => (at === undefined ? 'never' : new Date(at).toISOString())
