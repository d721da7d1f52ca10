import { type Static, Type } from 'typebox'

const origin = (host: string) => Type.String({ pattern: '^https?://[^/?#]+$', default: `https://${host}` })

/** What an operator must know about the account. The key decides between sandbox and live; the hosts are the same. */
export const LiteapiConfig = Type.Object(
  {
    apiKey: Type.String({ minLength: 1 }),
    /** Rates and content. */
    searchOrigin: origin('api.liteapi.travel'),
    /** Prebook, book and bookings. */
    bookOrigin: origin('book.liteapi.travel'),
    /** Absent: told by the key's own prefix (`sand_…`, `prod_…`). Bookings of the other environment are never ours. */
    environment: Type.Optional(Type.Union([Type.Literal('sandbox'), Type.Literal('live')])),
    /** What bookings are paid from. No card is ever sent. */
    payment: Type.Union([Type.Literal('WALLET'), Type.Literal('CREDIT')], { default: 'WALLET' }),
    /** Always sent, so that the account's own never counts. At 0 the vendor's offers cannot be checked. */
    marginPercent: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
    /** `kinds`: a search also asks for the cheapest rates of each kind that results can be filtered by, six questions for one. */
    listRates: Type.Union([Type.Literal('kinds'), Type.Literal('cheapest')], { default: 'kinds' }),
    /** Where the guest left no telephone number; the vendor asks for one. */
    businessPhone: Type.String({ pattern: '^\\+[0-9]{6,15}$' }),
    /** Properties per page of a list. */
    contentPageSize: Type.Integer({ minimum: 1, maximum: 5000, default: 1000 }),
    /** The feed reads each property by itself for its rooms and pictures; `no` makes it quick and poor. */
    contentDetails: Type.Union([Type.Literal('yes'), Type.Literal('no')], { default: 'yes' }),
  },
  { additionalProperties: false },
)
export type LiteapiConfig = Static<typeof LiteapiConfig>

export type LiteapiEnvironment = 'sandbox' | 'live'

/** A key without the vendor's prefix is taken for a live one: what is real must never be taken for a trial. */
export const environmentOf = ({ environment, apiKey }: LiteapiConfig): LiteapiEnvironment =>
  environment ?? (apiKey.startsWith('sand_') ? 'sandbox' : 'live')

export const isSandboxKey = (config: LiteapiConfig): boolean => environmentOf(config) === 'sandbox'

/** A combination of settings that must not be used; undefined for all others. */
export function objectionTo(config: LiteapiConfig): string | undefined {
  if (config.payment !== 'CREDIT' || environmentOf(config) === 'live') return undefined
  return 'SERAI_LITEAPI_PAYMENT must be WALLET with a sandbox key: bookings on credit are real even there.'
}

/** The hosts that calls go to; the first is the default. */
export const liteapiOrigins = ({ searchOrigin, bookOrigin }: LiteapiConfig) => ({
  search: searchOrigin,
  book: bookOrigin,
})
