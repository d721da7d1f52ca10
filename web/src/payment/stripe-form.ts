import type { Appearance, Stripe, StripeElements, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { MINOR_DIGITS } from '../api/service-rules.ts'
import type { Amount } from '../api/shapes.ts'
import type { CardForm, CardFormOptions, Confirmation } from './card-form.ts'

const LOAD_TIMEOUT_MS = 20_000

/** Stripe's own fields. The script must come from Stripe, and is loaded only here. */
export async function mountStripeForm({
  node,
  source,
  signal,
  returnUrl,
  language,
  ...shown
}: CardFormOptions): Promise<CardForm> {
  const stripe = await loadStripe(source.publishable_key)
  signal.throwIfAborted()
  if (stripe === null) throw new Error('Stripe.js needs a browser')
  const elements = stripe.elements({
    mode: 'payment',
    ...toFormAmount(shown.amount),
    captureMethod: 'manual',
    allowedPaymentMethodTypes: ['card'],
    locale: language as 'auto',
    appearance: readAppearance(node, shown.isDark),
  })
  await showFields(elements, node)
  return {
    async check() {
      const { error } = await elements.submit()
      return error === undefined
    },
    confirm: (clientSecret) => confirmPayment(stripe, elements, clientSecret, returnUrl),
    update: ({ amount, isDark }) =>
      void elements.update({ ...toFormAmount(amount), appearance: readAppearance(node, isDark) }),
    unmount: () => elements.getElement('payment')?.destroy(),
  }
}

/** Cards only: Link and wallets would need more hosts in the content security policy. */
function showFields(elements: StripeElements, node: HTMLElement): Promise<void> {
  const element = elements.create('payment', {
    layout: 'tabs',
    wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
    terms: { card: 'never' },
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  element.on('ready', () => resolve())
  element.on('loaderror', ({ error }) => reject(new Error(error.message ?? 'the card form could not be loaded')))
  setTimeout(() => reject(new Error('the card form did not load in time')), LOAD_TIMEOUT_MS)
  element.mount(node)
  return promise
}

async function confirmPayment(
  stripe: Stripe,
  elements: StripeElements,
  clientSecret: string,
  returnUrl: string,
): Promise<Confirmation> {
  try {
    const { paymentIntent, error } = await stripe.confirmPayment({
      elements,
      clientSecret,
      confirmParams: { return_url: returnUrl },
      redirect: 'if_required',
    })
    return error === undefined ? readStatus(paymentIntent.status) : readError(error)
  } catch {
    return { kind: 'unknown' }
  }
}

function readStatus(status: string): Confirmation {
  if (status === 'requires_capture') return { kind: 'authorised' }
  if (status === 'requires_payment_method') return { kind: 'declined', code: 'card_declined' }
  if (status === 'requires_action') return { kind: 'closed' }
  return { kind: 'unknown' }
}

const AUTHENTICATION_FAILED = 'payment_intent_authentication_failure'

/** Only the card's own errors prove that nothing is reserved: an error of the connection may hide a success. */
export function readError({ type, code, decline_code, payment_intent }: StripeError): Confirmation {
  if (payment_intent?.status === 'requires_capture') return { kind: 'authorised' }
  if (type === 'card_error' || type === 'validation_error' || code === AUTHENTICATION_FAILED)
    return { kind: 'declined', code: decline_code ?? code ?? 'card_declined' }
  return { kind: 'unknown' }
}

/** Currencies with other minor units at Stripe than in ISO 4217. */
const STRIPE_DIGITS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

/** A wrong amount cannot be charged: Stripe refuses a form whose amount differs from the payment's. */
export function toFormAmount({ amount, currency }: Amount) {
  const digits = STRIPE_DIGITS[currency] ?? MINOR_DIGITS[currency] ?? 2
  return { amount: Math.round(amount * 10 ** digits), currency: currency.toLowerCase() }
}

/** The fields cannot read the page's styles. */
function readAppearance(node: HTMLElement, isDark: boolean): Appearance {
  const colour = (name: string) => {
    const probe = document.createElement('span')
    probe.style.color = `var(--${name})`
    node.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      colorPrimary: colour('accent'),
      colorBackground: colour('surface'),
      colorText: colour('ink'),
      colorTextSecondary: colour('muted'),
      colorDanger: colour('bad'),
      borderRadius: '8px',
      fontFamily: getComputedStyle(node).fontFamily,
    },
  }
}
