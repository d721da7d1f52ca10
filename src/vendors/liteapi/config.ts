import { type Static, Type } from 'typebox'
import { CallLimits } from '../call-limits.ts'

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
    /**
     * Payment source of bookings: the account's own card, its funded wallet, or credit by contract. No card is ever
     * sent.
     */
    payment: Type.Enum(['ACC_CREDIT_CARD', 'WALLET', 'CREDIT'], { default: 'ACC_CREDIT_CARD' }),
    /**
     * Payment fee that LiteAPI adds to the bill, in percent of the price; 4 was recorded in the sandbox. A higher fee
     * shows as `price_differs`.
     */
    processingFeePercent: Type.Number({ minimum: 0, maximum: 20, default: 0 }),
    /** Send one session id per search for price consistency, if LiteAPI has enabled it for the account. */
    sendSessionId: Type.Boolean({ default: false }),
    /** Always sent, so that the account's own margin is never used. Offers with 0 cannot be checked. */
    marginPercent: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
    /** Sent if the guest gave no telephone number; the vendor requires one. */
    businessPhone: Type.String({ pattern: '^\\+[0-9]{6,15}$' }),
    limits: Type.Optional(CallLimits),
    contentPageSize: Type.Integer({ minimum: 1, maximum: 5000, default: 1000 }),
    /** Rooms and images take one request per property, when it is opened or later. `no`: lists only. */
    contentDetails: Type.Union([Type.Literal('yes'), Type.Literal('no')], { default: 'yes' }),
    /** Daily budget of requests for refreshing content. */
    contentRequestsPerDay: Type.Integer({ minimum: 1, default: 10_000 }),
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
  return 'SERAI_LITEAPI_PAYMENT must be ACC_CREDIT_CARD or WALLET with a sandbox key: bookings on credit are real even there.'
}

/** Five calls a second with a sandbox key and 250 with a live one, shared out so that bookings never wait for searches. */
export const liteapiLimits = (config: LiteapiConfig): CallLimits =>
  isSandboxKey(config)
    ? { searchPerSecond: 3, bookingPerSecond: 1, contentPerSecond: 1 }
    : { searchPerSecond: 200, bookingPerSecond: 40, contentPerSecond: 10 }

/** The first is the default. */
export const liteapiOrigins = ({ searchOrigin, bookOrigin }: LiteapiConfig) => ({
  search: searchOrigin,
  book: bookOrigin,
})
