import type { VendorEnvironment } from '../vendors/contract.ts'
import { isLiveKey, type StripeSettings, validateStripeSettings } from './providers/stripe/settings.ts'

type Variable =
  | 'SERAI_PAYMENTS'
  | 'SERAI_STRIPE_SECRET_KEY'
  | 'SERAI_STRIPE_PUBLISHABLE_KEY'
  | 'SERAI_STRIPE_WEBHOOK_SECRETS'
  | 'SERAI_STRIPE_ORIGIN'
type Variables = { readonly [Name in Variable]?: string | undefined }

export type PaymentSettings = { readonly provider: 'stripe'; readonly stripe: StripeSettings }

/** `off`: switched off. Undefined: not chosen. An error has no values. */
export function readPaymentSettings(env: Variables): PaymentSettings | 'off' | undefined | { readonly error: string } {
  const choice = env.SERAI_PAYMENTS
  if (choice === undefined || choice === '') return undefined
  if (choice === 'off') return 'off'
  if (choice !== 'stripe') return { error: `SERAI_PAYMENTS must be stripe or off.` }
  const origin = env.SERAI_STRIPE_ORIGIN
  const stripe: StripeSettings = {
    secretKey: env.SERAI_STRIPE_SECRET_KEY ?? '',
    publishableKey: env.SERAI_STRIPE_PUBLISHABLE_KEY ?? '',
    webhookSecrets: splitList(env.SERAI_STRIPE_WEBHOOK_SECRETS ?? ''),
    ...(origin !== undefined && origin !== '' && { origin }),
  }
  const [error] = validateStripeSettings(stripe)
  return error === undefined ? { provider: 'stripe', stripe } : { error }
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Real money and real rooms go together. Undefined if they do. */
export function findMixedModes(
  { stripe }: PaymentSettings,
  mode: string,
  vendors: readonly { readonly id: string; readonly environment: VendorEnvironment }[],
): string | undefined {
  const isProduction = mode === 'production'
  if (isLiveKey(stripe) && !isProduction)
    return 'SERAI_STRIPE_SECRET_KEY is a live key, and NODE_ENV is not production. Use a test key outside production.'
  if (isProduction && stripe.origin !== undefined)
    return 'SERAI_STRIPE_ORIGIN is for development only. Remove it in production.'
  if (isProduction && stripe.webhookSecrets.length === 0)
    return 'SERAI_STRIPE_WEBHOOK_SECRETS is not set. In production the provider’s notifications must be verified.'
  const wrong = vendors.find(({ environment }) => (environment === 'live') !== isLiveKey(stripe))
  if (wrong === undefined) return undefined
  return isLiveKey(stripe)
    ? `SERAI_STRIPE_SECRET_KEY is a live key, and ${wrong.id} is not connected to its live environment: guests would pay for rooms that do not exist. Use a test key.`
    : `SERAI_STRIPE_SECRET_KEY is a test key, and ${wrong.id} is connected to its live environment: real rooms would be given away. Use a live key.`
}
