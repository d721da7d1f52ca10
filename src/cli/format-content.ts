import type { ContentStatus } from '../catalogue/sync/content-status.ts'

export function describeContent(status: ContentStatus): string[] {
  const { vendorId, properties, dropped, withoutRooms, fullAt, freshAt, feed, requestsToday, requestsPerDay, failure } =
    status
  const parts = [
    ...(dropped > 0 ? [`${formatInteger(dropped)} no longer offered by the vendor`] : []),
    ...(withoutRooms > 0 ? [`rooms of ${formatInteger(withoutRooms)} still to be read`] : []),
  ]
  const isWhole = feed?.since === ''
  const share = feed?.total === undefined ? '' : ` of ${formatInteger(feed.total)}`
  const allowance = requestsPerDay === undefined ? '' : ` of ${formatInteger(requestsPerDay)}`
  return [
    `${vendorId}: ${formatInteger(properties)} properties${parts.length > 0 ? ` (${parts.join('; ')})` : ''}`,
    `  whole feed      ${moment(fullAt)}`,
    `  last read       ${moment(freshAt)}`,
    ...(feed === undefined
      ? []
      : [
          `  being read      ${formatInteger(feed.properties)}${share}, ${isWhole ? 'the whole feed' : `changes since ${feed.since}`}`,
        ]),
    `  requests today  ${formatInteger(requestsToday)}${allowance}`,
    ...(failure === undefined ? [] : [`  last failure    ${failure}`]),
  ]
}

export const formatInteger = (n: number) => Math.round(n).toLocaleString('en-US')
const moment = (ms: number | undefined) => (ms === undefined ? 'never' : new Date(ms).toISOString())
