import { Type } from 'typebox'
import { dataEnvelope, listEnvelope } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Count, Moment } from '../../http/schemas/scalars.ts'
import { VENDOR_ENVIRONMENTS } from '../../vendors/contract.ts'
import { CALL_OUTCOMES } from '../vendors/call-outcome.ts'
import { BREAKER_STATES } from '../vendors/describe-vendor.ts'

const Breaker = Type.Enum([...BREAKER_STATES])

export const CallWindowSchema = Type.Object(
  {
    calls: Count,
    failures: { ...Count, description: 'Failed calls; `refused` is not counted.' },
    p50_ms: nullable(Count, 'Median duration; null without calls.'),
    p95_ms: nullable(Count, '95th percentile of the duration.'),
    errors: Type.Array(
      Type.Object(
        { kind: Type.Enum(CALL_OUTCOMES.filter((kind) => kind !== 'ok')), calls: Count },
        { title: 'VendorErrors' },
      ),
      {
        description:
          'Most frequent first. `given_up`: the client did not wait for the answer. `breaker_open` and `held_back` were not sent to the vendor.',
      },
    ),
  },
  { title: 'VendorCallWindow', description: 'Calls of all processes to a vendor within a period.' },
)

const Windows = { last_hour: CallWindowSchema, last_day: CallWindowSchema, last_week: CallWindowSchema }

export const CallSpanSchema = Type.Object(
  { began_at: Moment, calls: Count, failures: Count, p95_ms: nullable(Count, 'Null without calls.') },
  { title: 'VendorCallSpan' },
)

const Looks = {
  searches: { ...Count, description: 'Searches that queried the vendor in the last 30 days.' },
  bookings: { ...Count, description: 'Real bookings made in the same period.' },
  ratio: nullable(Type.Number(), 'Searches per booking; null without bookings.'),
}
export const LookToBookSchema = Type.Object(Looks, { title: 'LookToBook' })

export const VendorContentSchema = Type.Object(
  {
    properties: { ...Count, description: 'Properties of the vendor in the catalogue.' },
    dropped: { ...Count, description: 'Properties that the vendor has dropped.' },
    without_rooms: { ...Count, description: 'Properties for which only list data has been read.' },
    full_at: nullable(Moment, 'Start of the last complete full synchronisation.'),
    fresh_at: nullable(Moment, 'Start of the last complete synchronisation, full or incremental.'),
    next_at: nullable(Moment, 'Next synchronisation; null if none is scheduled.'),
    late_since: nullable(Moment, 'Time since which it has been out of date; null if it is up to date.'),
    failure: nullable(Type.String(), 'Reason of the last failure.'),
  },
  { title: 'VendorContent' },
)

const VendorQuotaSchema = Type.Object(
  {
    readings_per_minute: Type.Number({ description: 'Bookings that may be read again per minute.' }),
    readings_free: { ...Count, description: 'Bookings that could be read now.' },
    content_requests_today: { ...Count, description: 'Content requests today (UTC).' },
    content_requests_per_day: nullable(Count, 'Null for no limit.'),
    held_until: nullable(Moment, 'End of the pause that the vendor requested.'),
    calls: Type.Array(
      Type.Object(
        {
          kind: Type.Enum(['search', 'booking', 'content']),
          window_seconds: Count,
          allowed: { ...Count, description: 'Calls; at Expedia Rapid, searches count properties × rooms × nights.' },
          used: Count,
        },
        { title: 'VendorCallQuota' },
      ),
      { description: 'Configured limits of the account, with their use in the current window by all processes.' },
    ),
  },
  { title: 'VendorQuota' },
)

const Overview = {
  vendor_id: Type.String(),
  environment: Type.Enum([...VENDOR_ENVIRONMENTS], {
    description: '`sandbox`: local simulation of the vendor; `test`: the vendor’s test environment.',
  }),
  ...Windows,
  recent: Type.Array(CallSpanSchema, {
    description: 'The last hour in spans of five minutes; the last is incomplete.',
  }),
  breaker: { ...Breaker, description: 'The worst state of all processes. While open, the vendor is not called.' },
  processes: { ...Count, description: 'Processes that currently call the vendor.' },
  quota: VendorQuotaSchema,
  content: VendorContentSchema,
  look_to_book: LookToBookSchema,
  failing_operations: Type.Array(
    Type.Object(
      {
        operation: Type.String(),
        period: Type.Enum(['hour', 'day'], { description: 'The last day if the last hour had fewer than 5 calls.' }),
        calls: Count,
        failures: Count,
      },
      { title: 'FailingOperation' },
    ),
    { description: 'Operations that fail in at least 20 % of their calls, worst first.' },
  ),
}

export const VendorHealthSchema = Type.Object(Overview, { title: 'VendorHealth' })
export const VendorHealthList = listEnvelope('VendorHealthList', VendorHealthSchema)

const BreakerSchema = Type.Object(
  {
    process: Type.String({ description: 'Host and process id.' }),
    class: Type.String({ description: 'Each class of calls has its own limit and breaker.' }),
    state: Breaker,
    since: { ...Moment, description: 'Time of the last change between closed and not closed.' },
    calls_under_way: Count,
    calls_at_once: { ...Count, description: 'Limit per process.' },
    seen_at: Moment,
  },
  { title: 'VendorBreaker' },
)

export const VendorDetailSchema = Type.Object(
  {
    ...Overview,
    operations: Type.Array(Type.Object({ operation: Type.String(), ...Windows }, { title: 'VendorOperation' })),
    hours: Type.Array(CallSpanSchema, { description: 'The last day in spans of one hour; the last is incomplete.' }),
    breakers: Type.Array(BreakerSchema, { description: 'One per process; `manage` has none and is always closed.' }),
    accounts: Type.Array(
      Type.Object(
        { account_id: Type.String({ description: '`guests`: visitors without an account.' }), ...Looks },
        { title: 'AccountLooks' },
      ),
      { description: 'Most searches first, at most 100.' },
    ),
  },
  { title: 'VendorDetail' },
)
export const VendorDetailResponse = dataEnvelope('VendorDetailAnswer', VendorDetailSchema)
