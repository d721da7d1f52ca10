import { type Static, Type } from 'typebox'
import { minorDigits } from '../../domain/money/currency.ts'
import { CallLimits } from '../call-limits.ts'

/** Scheme and host; the adapter adds every path. */
const ORIGIN = { pattern: '^https?://[^/?#]+$', default: 'https://api.test.hotelbeds.com' }

/** Test and live accounts differ only in these settings. */
export const HotelbedsConfig = Type.Object(
  {
    apiKey: Type.String({ minLength: 1 }),
    secret: Type.String({ minLength: 1 }),
    /** Such as `https://api.test.hotelbeds.com` or `https://api-mtls.hotelbeds.com`. */
    bookingOrigin: Type.String(ORIGIN),
    /** The Content API does not require a client certificate. */
    contentOrigin: Type.String(ORIGIN),
    photoBase: Type.String({ default: 'https://photos.hotelbeds.com/giata/' }),
    /** `net`: we sell at the net price, or at the selling price if the hotel prescribes it. */
    pricing: Type.Union([Type.Literal('net'), Type.Literal('commissionable')], { default: 'net' }),
    /**
     * Currencies of the account (one, or up to three by destination); prices in others are not sold. Any by default.
     */
    currencies: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{3}$' }), { minItems: 1 })),
    /**
     * Sends `filter.packaging: false`, which newer documents do not mention. Otherwise, more rates are requested,
     * because package rates are dropped from the response.
     */
    excludePackages: Type.Boolean({ default: true }),
    /**
     * Hotels in one availability call. Responses of several calls are read in parallel, but an account's contract may
     * limit the number of calls.
     */
    propertiesPerCall: Type.Integer({ minimum: 1, maximum: 2000, default: 250 }),
    /** User name recorded with bookings; the API key by default. */
    creationUser: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    /** Look up comments that are not in our copy, one call each, after the response to the customer. */
    commentLookups: Type.Boolean({ default: true }),
    limits: Type.Optional(CallLimits),
    contentPageSize: Type.Integer({ minimum: 1, maximum: 1000, default: 500 }),
    /** Daily budget of requests for refreshing content. Default: 40 in the test environment, else unlimited. */
    contentRequestsPerDay: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Client certificate for mutual TLS, as paths of PEM files. */
    certificatePath: Type.Optional(Type.String()),
    certificateKeyPath: Type.Optional(Type.String()),
    certificatePassphrase: Type.Optional(Type.String()),
    /** Authority of the vendor's host, for a stand-in or a proxy that Node does not trust. */
    certificateAuthorityPath: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type HotelbedsConfig = Static<typeof HotelbedsConfig>

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).hostname : '')
const isMutualTls = ({ bookingOrigin }: HotelbedsConfig): boolean => hostOf(bookingOrigin).startsWith('api-mtls.')

/** Every booking operation requires mutual TLS, in the test environment too. */
export const canBook = (config: HotelbedsConfig): boolean =>
  (isMutualTls(config) && config.certificatePath !== undefined) || !/hotelbeds\.com$/.test(hostOf(config.bookingOrigin))

/** Returns an error message; undefined if the settings are valid. Prices in an unknown currency would never be sold. */
export function validateConfig(config: HotelbedsConfig): string | undefined {
  const { currencies = [], bookingOrigin } = config
  if (isMutualTls(config) && config.certificatePath === undefined)
    return `SERAI_HOTELBEDS_CERTIFICATE_PATH and its key must be set: ${bookingOrigin} requires a client certificate.`
  const unknown = currencies.filter((code) => minorDigits(code) === undefined)
  if (unknown.length === 0) return undefined
  return `SERAI_HOTELBEDS_CURRENCIES must be ISO 4217 codes, such as EUR. Unknown: ${unknown.join(', ')}.`
}
