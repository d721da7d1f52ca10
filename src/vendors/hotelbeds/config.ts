import { type Static, Type } from 'typebox'
import { digitsOf } from '../../domain/money/currency.ts'

/** Scheme and host; every path is the adapter's own. */
const ORIGIN = { pattern: '^https?://[^/?#]+$', default: 'https://api.test.hotelbeds.com' }

/** What an operator must know about the account. Test and live differ only here. */
export const HotelbedsConfig = Type.Object(
  {
    apiKey: Type.String({ minLength: 1 }),
    secret: Type.String({ minLength: 1 }),
    /** `https://api.test.hotelbeds.com`, `https://api-mtls.hotelbeds.com` … */
    bookingOrigin: Type.String(ORIGIN),
    /** Content is not among the operations that ask for a client certificate. */
    contentOrigin: Type.String(ORIGIN),
    photoBase: Type.String({ default: 'https://photos.hotelbeds.com/giata/' }),
    /** `net`: we sell at the net price, or at the selling price where the hotel binds us to it. */
    pricing: Type.Union([Type.Literal('net'), Type.Literal('commissionable')], { default: 'net' }),
    /** The account's currencies (one, or up to three by destination); a price in another is not sold. Absent: any. */
    currencies: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{3}$' }), { minItems: 1 })),
    /** The user that bookings are recorded under; the vendor uses the key when it is absent. */
    creationUser: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    /** Look up comments that are not in our copy, one call each, after the customer was answered. */
    commentLookups: Type.Boolean({ default: true }),
    contentPageSize: Type.Integer({ minimum: 1, maximum: 1000, default: 500 }),
    /** What keeping content fresh may use of the account's requests a day. Absent: 40 in the test environment, else any number. */
    contentRequestsPerDay: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Client certificate for mutual TLS, as paths of PEM files. */
    certificatePath: Type.Optional(Type.String()),
    certificateKeyPath: Type.Optional(Type.String()),
    certificatePassphrase: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type HotelbedsConfig = Static<typeof HotelbedsConfig>

/** Why these settings cannot be used. Only prices in one of the currencies are sold, so a code that does not exist would sell nothing. */
export function objectionTo({ currencies = [] }: HotelbedsConfig): string | undefined {
  const unknown = currencies.filter((code) => digitsOf(code) === undefined)
  if (unknown.length === 0) return undefined
  return `SERAI_HOTELBEDS_CURRENCIES must be codes of ISO 4217, such as EUR. ${unknown.join(', ')} ${unknown.length === 1 ? 'is none' : 'are none'}.`
}
