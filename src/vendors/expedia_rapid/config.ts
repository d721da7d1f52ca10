import { isIP } from 'node:net'
import { type Static, Type } from 'typebox'

/** Rapid refuses a call that asks for another. Of two of one language, the one for other countries comes first. */
export const LOCALES: readonly string[] = (
  'ar-SA cs-CZ da-DK de-DE el-GR en-US es-ES es-MX fi-FI fr-FR fr-CA hr-HR hu-HU id-ID is-IS it-IT ja-JP lt-LT ko-KR ' +
  'ms-MY nb-NO nl-NL pl-PL pt-BR pt-PT ru-RU sk-SK sv-SE th-TH tr-TR uk-UA vi-VN zh-CN zh-TW'
).split(' ')

const optional = (description: string) => Type.Optional(Type.String({ description, minLength: 1 }))

const BillingContact = Type.Object({
  given_name: Type.String({ minLength: 1, maxLength: 60 }),
  family_name: Type.String({ minLength: 1, maxLength: 60 }),
  line_1: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  state_province_code: Type.Optional(Type.String({ description: 'Mandatory in AU, CA and US.' })),
  postal_code: Type.Optional(Type.String({ description: 'Mandatory in CA, GB and US.' })),
  country_code: Type.String({ pattern: '^[A-Z]{2}$' }),
})

/** Values of the partner profile are handed out by Expedia; they must not be mixed between profiles. */
export const ExpediaRapidConfig = Type.Object({
  apiKey: Type.String({ minLength: 1 }),
  sharedSecret: Type.String({ minLength: 1 }),
  baseUrl: Type.String({ default: 'https://test.ean.com', description: 'Origin only; /v3 is part of every path.' }),
  billingTerms: optional('billing_terms'),
  partnerPointOfSale: optional('partner_point_of_sale'),
  paymentTerms: optional('payment_terms'),
  platformName: optional('platform_name'),
  salesChannel: Type.Enum(['website', 'agent_tool', 'mobile_app', 'mobile_web', 'meta', 'cache'], {
    default: 'website',
  }),
  salesEnvironment: Type.Enum(['hotel_only', 'hotel_package', 'loyalty'], { default: 'hotel_only' }),
  supplySource: Type.Enum(['expedia', 'vrbo'], { default: 'expedia' }),
  listRates: Type.Enum(['kinds', 'cheapest'], {
    default: 'kinds',
    description:
      '`kinds`: a search also asks for the cheapest refundable rate and the cheapest of each board, six questions instead of one. `cheapest`: it does not, and results do not say.',
  }),
  language: Type.Enum([...LOCALES], {
    default: 'en-US',
    description: 'Of rates, where a guest asks for a language that Rapid lacks.',
  }),
  /** Who pays Expedia: bookings are on account (affiliate_collect), no card is ever sent. */
  billingContact: BillingContact,
  /** Where the guest left no telephone number. */
  businessPhone: Type.String({ pattern: '^\\+[0-9]{6,15}$' }),
  /** Linked beside the button that books, where an answer names no other. */
  termsUrl: Type.String({ default: 'https://developer.expediapartnersolutions.com/terms/en', pattern: '^https://' }),
  /** Sent where no traveller is behind a call (content, settling a booking). */
  defaultCustomerIp: Type.String({ default: '127.0.0.1' }),
  defaultUserAgent: Type.String({ default: 'Serai/1.0' }),
  /** When a booking that was refused with 409 or 410 is looked up: until then it may exist all the same. */
  lookAfterRefusalMs: Type.Integer({ default: 90_000, minimum: 0, maximum: 90_000 }),
  /** Whether Expedia was given our address for notifications; only then are any taken. */
  notifications: Type.Boolean({ default: false }),
  /** `standard` and the like, while Expedia certifies the account. */
  testHeader: optional('Test'),
})
export type ExpediaRapidConfig = Static<typeof ExpediaRapidConfig>

/** Parts of the address that Rapid refuses bookings without, by the country of who pays. */
const NEEDED = [
  ['state_province_code', ['AU', 'CA', 'US']],
  ['postal_code', ['CA', 'GB', 'US']],
] as const

/** Why these settings cannot be used; undefined if they can. */
export function objectionTo({ billingContact, defaultCustomerIp }: ExpediaRapidConfig): string | undefined {
  if (isIP(defaultCustomerIp) === 0)
    return 'SERAI_EXPEDIA_RAPID_DEFAULT_CUSTOMER_IP must be an IP address, such as 203.0.113.7.'
  const { country_code } = billingContact
  const missing = NEEDED.filter(([part, countries]) => {
    return countries.some((country) => country === country_code) && !billingContact[part]?.trim()
  }).map(([part]) => `SERAI_EXPEDIA_RAPID_BILLING_CONTACT_${part.toUpperCase()}`)
  if (missing.length === 0) return undefined
  return `${missing.join(' and ')} must be set for a billing contact in ${country_code}: Rapid refuses bookings without.`
}
