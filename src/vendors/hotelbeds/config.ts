import { type Static, Type } from 'typebox'

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
    /** Who a booking is noted under; the vendor takes the key itself when absent. */
    creationUser: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    contentPageSize: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    /** Client certificate for mutual TLS, as paths of PEM files. */
    certificatePath: Type.Optional(Type.String()),
    certificateKeyPath: Type.Optional(Type.String()),
    certificatePassphrase: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type HotelbedsConfig = Static<typeof HotelbedsConfig>
