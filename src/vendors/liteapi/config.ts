import { type Static, Type } from 'typebox'

const origin = (host: string) => Type.String({ pattern: '^https?://[^/?#]+$', default: `https://${host}` })

/** The key decides between sandbox and live; the hosts are the same. */
export const LiteapiConfig = Type.Object(
  {
    apiKey: Type.String({ minLength: 1 }),
    /** Rates and content. */
    searchOrigin: origin('api.liteapi.travel'),
    /** Prebook, book and bookings. */
    bookOrigin: origin('book.liteapi.travel'),
    /** Default: by prefix of the key (`sand_…`, `prod_…`). Bookings of the other environment are ignored. */
    environment: Type.Optional(Type.Union([Type.Literal('sandbox'), Type.Literal('live')])),
    /** Payment source of bookings. No card is ever sent. */
    payment: Type.Union([Type.Literal('WALLET'), Type.Literal('CREDIT')], { default: 'WALLET' }),
    /** Always sent, so that the account's own margin is never used. Offers with 0 cannot be checked. */
    marginPercent: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
    /**
     * `kinds`: a search also requests the cheapest rates of each kind that results can be filtered by: six requests
     * instead of one.
     */
    listRates: Type.Union([Type.Literal('kinds'), Type.Literal('cheapest')], { default: 'kinds' }),
    /** Sent if the guest gave no telephone number; the vendor requires one. */
    businessPhone: Type.String({ pattern: '^\\+[0-9]{6,15}$' }),
    contentPageSize: Type.Integer({ minimum: 1, maximum: 5000, default: 1000 }),
    /** The feed reads each property separately for its rooms and images; `no` is fast but incomplete. */
    contentDetails: Type.Union([Type.Literal('yes'), Type.Literal('no')], { default: 'yes' }),
  },
  { additionalProperties: false },
)
export type LiteapiConfig = Static<typeof LiteapiConfig>

export type LiteapiEnvironment = 'sandbox' | 'live'

/** A key without the vendor's prefix is treated as live, so that a real booking is never taken for a test. */
export const readEnvironment = ({ environment, apiKey }: LiteapiConfig): LiteapiEnvironment =>
  environment ?? (apiKey.startsWith('sand_') ? 'sandbox' : 'live')

export const isSandboxKey = (config: LiteapiConfig): boolean => readEnvironment(config) === 'sandbox'

/** Returns an error message; undefined if the settings are valid. */
export function validateConfig(config: LiteapiConfig): string | undefined {
  if (config.payment !== 'CREDIT' || readEnvironment(config) === 'live') return undefined
  return 'SERAI_LITEAPI_PAYMENT must be WALLET with a sandbox key: bookings on credit are real even there.'
}

/** The first is the default. */
export const liteapiOrigins = ({ searchOrigin, bookOrigin }: LiteapiConfig) => ({
  search: searchOrigin,
  book: bookOrigin,
})
