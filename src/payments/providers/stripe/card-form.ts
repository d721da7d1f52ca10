import type { CardForm } from '../../card-form.ts'
import type { StripeSettings } from './settings.ts'

const SCRIPT_HOSTS = ['https://js.stripe.com', 'https://*.js.stripe.com']

/** Stripe's script may not be served from elsewhere. Its version belongs to the version of the client. */
export const describeCardForm = ({ publishableKey, origin }: StripeSettings): CardForm =>
  origin === undefined
    ? {
        provider: 'stripe',
        publishableKey,
        source: { script: 'https://js.stripe.com/endive/stripe.js' },
        hosts: {
          script: SCRIPT_HOSTS,
          frame: [...SCRIPT_HOSTS, 'https://hooks.stripe.com'],
          connect: ['https://api.stripe.com'],
        },
      }
    : {
        provider: 'stripe',
        publishableKey,
        source: { form: `${origin}/form` },
        hosts: { script: [], frame: [origin], connect: [] },
      }
