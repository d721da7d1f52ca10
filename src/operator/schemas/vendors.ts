import { Type } from 'typebox'
import { dataOf, listOf } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Count, Moment } from '../../http/schemas/scalars.ts'
import { VENDOR_ENVIRONMENTS } from '../../vendors/contract.ts'
import { CALL_OUTCOMES } from '../vendors/call-outcome.ts'
import { BREAKER_STATES } from '../vendors/describe-vendor.ts'

const Breaker = Type.Enum([...BREAKER_STATES])

export const CallWindowSchema = Type.Object(
  {
    calls: Count,
    failures: { ...Count, description: 'All that went wrong; what the vendor only refused is not counted.' },
    p50_ms: nullable(Count, 'Half of the calls took no longer; null where there were none.'),
    p95_ms: nullable(Count, 'Of twenty calls, nineteen took no longer.'),
    errors: Type.Array(
      Type.Object(
        { kind: Type.Enum(CALL_OUTCOMES.filter((kind) => kind !== 'ok')), calls: Count },
        { title: 'VendorErrors' },
      ),
      {
        description:
          'The most frequent first. `given_up`: the client did not wait for the answer. `breaker_open` and `held_back` were not sent to the vendor.',
      },
    ),
  },
  { title: 'VendorCallWindow', description: 'Calls to a vendor in a while, by all processes.' },
)

const Windows = { last_hour: CallWindowSchema, last_day: CallWindowSchema, last_week: CallWindowSchema }

export const CallSpanSchema = Type.Object(
  { began_at: Moment, calls: Count, failures: Count, p95_ms: nullable(Count, 'Null where there were no calls.') },
  { title: 'VendorCallSpan' },
)

const Looks = {
  searches: { ...Count, description: 'Searches that asked the vendor, in the last 30 days.' },
  bookings: { ...Count, description: 'Real bookings made in the same days.' },
  ratio: nullable(Type.Number(), 'Searches for each booking; null where there is no booking.'),
}
export const LookToBookSchema = Type.Object(Looks, { title: 'LookToBook' })

export const VendorContentSchema = Type.Object(
  {
    properties: { ...Count, description: 'Properties of the vendor in the catalogue.' },
    dropped: { ...Count, description: 'Those that the vendor no longer has.' },
    without_rooms: { ...Count, description: 'Those of which only what a list shows has been read.' },
    full_at: nullable(Moment, 'When the last whole reading began that came to its end.'),
    fresh_at: nullable(Moment, 'The same, of changes too.'),
    next_at: nullable(Moment, 'When it is read next; null where nothing is due.'),
    late_since: nullable(Moment, 'Since when it has been older than it should be; null while it is not.'),
    failure: nullable(Type.String(), 'Why the last attempt failed.'),
  },
  { title: 'VendorContent' },
)

const VendorQuotaSchema = Type.Object(
  {
    readings_per_minute: Type.Number({ description: 'How many bookings may be read again in a minute.' }),
    readings_free: { ...Count, description: 'How many of them could be read now.' },
    content_requests_today: { ...Count, description: 'Requests for content on this day (UTC).' },
    content_requests_per_day: nullable(Count, 'Null where nobody counts.'),
    held_until: nullable(Moment, 'Until when the vendor asked not to be called.'),
  },
  { title: 'VendorQuota' },
)

const Overview = {
  vendor_id: Type.String(),
  environment: Type.Enum([...VENDOR_ENVIRONMENTS], {
    description: '`sandbox`: a stand-in on this machine; `test`: the vendor’s own environment for trials.',
  }),
  ...Windows,
  recent: Type.Array(CallSpanSchema, { description: 'The last hour, five minutes each; the last one is not over.' }),
  breaker: { ...Breaker, description: 'The worst of all processes: while it is open, the vendor is not asked.' },
  processes: { ...Count, description: 'Processes that call the vendor at present.' },
  quota: VendorQuotaSchema,
  content: VendorContentSchema,
  look_to_book: LookToBookSchema,
}

export const VendorHealthSchema = Type.Object(Overview, { title: 'VendorHealth' })
export const VendorHealthList = listOf('VendorHealthList', VendorHealthSchema)

const BreakerSchema = Type.Object(
  {
    process: Type.String({ description: 'Its machine and process id.' }),
    class: Type.String({ description: 'Each class of calls has a limit and a breaker of its own.' }),
    state: Breaker,
    since: { ...Moment, description: 'Since when it has been closed, or has not.' },
    calls_under_way: Count,
    calls_at_once: { ...Count, description: 'The limit of this process.' },
    seen_at: Moment,
  },
  { title: 'VendorBreaker' },
)

export const VendorDetailSchema = Type.Object(
  {
    ...Overview,
    operations: Type.Array(Type.Object({ operation: Type.String(), ...Windows }, { title: 'VendorOperation' })),
    hours: Type.Array(CallSpanSchema, { description: 'The last day, an hour each; the last one is not over.' }),
    breakers: Type.Array(BreakerSchema, { description: 'In each process; `manage` has none and is always closed.' }),
    accounts: Type.Array(
      Type.Object(
        { account_id: Type.String({ description: '`guests`: visitors of the page without an account.' }), ...Looks },
        { title: 'AccountLooks' },
      ),
      { description: 'Who searches most is first; at most 100.' },
    ),
  },
  { title: 'VendorDetail' },
)
export const VendorDetailResponse = dataOf('VendorDetailAnswer', VendorDetailSchema)
