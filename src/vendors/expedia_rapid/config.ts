import { isIP } from 'node:net'
import { type Static, Type } from 'typebox'
import { CallLimits } from '../call-limits.ts'

/** Rapid rejects other locales. If a language has two, the more international one is first. */
export const RAPID_LOCALES: readonly string[] = (
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

/** Prescribed wording (launch requirement BP5), as shown by integrators. */
const TAXES_TEXT =
  'The taxes are tax recovery charges Expedia pays to its vendors (e.g. hotels); for details, please see our Terms of ' +
  'Use. We retain our service fees as compensation in servicing your travel reservation.'

/** Expedia assigns the values of the partner profile; do not mix values of different profiles. */
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
  language: Type.Enum([...RAPID_LOCALES], {
    default: 'en-US',
    description: 'Language of rates if Rapid lacks the language of the guest.',
  }),
  /** Of the contract. Searches count properties × rooms × nights. */
  limits: Type.Optional(CallLimits),
  /** Party that pays Expedia. Bookings are on account (affiliate_collect); no card is ever sent. */
  billingContact: BillingContact,
  /** Sent if the guest gave no telephone number. */
  businessPhone: Type.String({ pattern: '^\\+[0-9]{6,15}$' }),
  /** Linked beside the book button, unless the response contains another URL. */
  termsUrl: Type.String({ default: 'https://developer.expediapartnersolutions.com/terms/en', pattern: '^https://' }),
  /** Text that Expedia prescribes beside "Taxes and fees"; the operator may use another version of it. */
  taxesText: Type.String({ default: TAXES_TEXT }),
  /** Sent with calls that have no traveller, such as content and settling. */
  defaultCustomerIp: Type.String({ default: '127.0.0.1' }),
  defaultUserAgent: Type.String({ default: 'Serai/1.0' }),
  /** Delay before a booking refused with 409 or 410 is looked up; it may exist until then. */
  lookAfterRefusalMs: Type.Integer({ default: 90_000, minimum: 0, maximum: 90_000 }),
  /** Accept notifications. Requires that Expedia was given our URL. */
  notifications: Type.Boolean({ default: false }),
  /** Value of the `Test` header of booking calls during certification, such as `standard`. */
  testHeader: optional('Test'),
})
export type ExpediaRapidConfig = Static<typeof ExpediaRapidConfig>

/** Expedia's test host or a local stand-in. */
const isTestHost = (baseUrl: string): boolean => /^https?:\/\/(test\.|localhost\b|127\.|\[::1\])/.test(baseUrl)

/** Parts of the billing address without which Rapid refuses bookings, by country. */
const MANDATORY_PARTS = [
  ['state_province_code', ['AU', 'CA', 'US']],
  ['postal_code', ['CA', 'GB', 'US']],
] as const

/** Returns an error message; undefined if the settings are valid. */
export function validateConfig(config: ExpediaRapidConfig): string | undefined {
  const { billingContact, defaultCustomerIp, baseUrl, testHeader } = config
  if (testHeader !== undefined && !isTestHost(baseUrl))
    return `SERAI_EXPEDIA_RAPID_TEST_HEADER must not be set with ${baseUrl}: its bookings would not exist.`
  if (isIP(defaultCustomerIp) === 0)
    return 'SERAI_EXPEDIA_RAPID_DEFAULT_CUSTOMER_IP must be an IP address, such as 203.0.113.7.'
  const { country_code } = billingContact
  const missing = MANDATORY_PARTS.filter(([part, countries]) => {
    return countries.some((country) => country === country_code) && !billingContact[part]?.trim()
  }).map(([part]) => `SERAI_EXPEDIA_RAPID_BILLING_CONTACT_${part.toUpperCase()}`)
  if (missing.length === 0) return undefined
  return `${missing.join(' and ')} must be set for a billing contact in ${country_code}: Rapid refuses bookings without it.`
}
