/** Settings of the Stripe account. Test and live accounts differ only in keys and secrets. */
export type StripeSettings = {
  /** `sk_…`, or better a restricted key `rk_…`. */
  readonly secretKey: string
  /** `pk_…`, given to browsers. */
  readonly publishableKey: string
  /** Secrets of our webhook endpoint; two while one replaces the other. */
  readonly webhookSecrets: readonly string[]
  /** Origin of a local sandbox; Stripe by default. */
  readonly origin?: string
}

const SECRET_KEY = /^(?:sk|rk)_(test|live)_\w+$/
const PUBLISHABLE_KEY = /^pk_(test|live)_\w+$/
/** Stripe signs with the whole text, prefix included. */
const WEBHOOK_SECRET = /^whsec_\S+$/
const WEBHOOK_SECRETS_MAX = 2
const ORIGIN = /^https?:\/\/[^/?#]+$/
const LOOPBACK = /^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?::\d+)?$/

/** True if the key moves real money. */
export const isLiveKey = ({ secretKey }: Pick<StripeSettings, 'secretKey'>): boolean =>
  SECRET_KEY.exec(secretKey)?.[1] === 'live'

/** Error messages, which name variables but never values; empty if the settings are valid. */
export function validateStripeSettings(settings: StripeSettings): string[] {
  const { secretKey, publishableKey, webhookSecrets, origin } = settings
  const secretMode = SECRET_KEY.exec(secretKey)?.[1]
  const publishableMode = PUBLISHABLE_KEY.exec(publishableKey)?.[1]
  const messages: string[] = []
  if (secretMode === undefined)
    messages.push(
      'SERAI_STRIPE_SECRET_KEY must be a secret key (sk_test_… or sk_live_…) or a restricted key (rk_test_… or rk_live_…).',
    )
  if (publishableMode === undefined)
    messages.push('SERAI_STRIPE_PUBLISHABLE_KEY must be a publishable key (pk_test_… or pk_live_…).')
  if (secretMode !== undefined && publishableMode !== undefined && secretMode !== publishableMode)
    messages.push(
      `SERAI_STRIPE_SECRET_KEY is a ${secretMode} key and SERAI_STRIPE_PUBLISHABLE_KEY a ${publishableMode} key. Take both from the same mode of the account.`,
    )
  if (webhookSecrets.length > WEBHOOK_SECRETS_MAX || webhookSecrets.some((secret) => !WEBHOOK_SECRET.test(secret)))
    messages.push(
      'SERAI_STRIPE_WEBHOOK_SECRETS must be one signing secret (whsec_…) of the webhook endpoint, or two separated by a comma while one replaces the other.',
    )
  if (origin !== undefined) messages.push(...validateOrigin(origin, secretMode))
  return messages
}

/** Accepts only loopback origins besides Stripe, so that a key never reaches another host. */
function validateOrigin(origin: string, mode: string | undefined): string[] {
  if (!ORIGIN.test(origin))
    return ['SERAI_STRIPE_ORIGIN must be scheme, host and port, such as http://127.0.0.1:12111.']
  if (!LOOPBACK.test(origin))
    return ['SERAI_STRIPE_ORIGIN may only name a stand-in on this machine. Remove it to use Stripe itself.']
  return mode === 'live' ? ['SERAI_STRIPE_ORIGIN cannot be used with a live key. Remove it, or use a test key.'] : []
}
