/** Outcome of a published test card. */
type CardOutcome = {
  readonly brand: 'visa' | 'mastercard' | 'amex'
  readonly country?: string
  /** The guest must authenticate. */
  readonly asks3ds?: boolean
  /** Reason of the refusal, after the authentication if there is one. */
  readonly declined?: Decline
  /** The fraud check holds the payment for a person. */
  readonly isReviewed?: boolean
  readonly refund?: 'pending' | 'fails_later'
  /** Reason of the dispute that follows the capture. */
  readonly dispute?: 'fraudulent' | 'product_not_received' | 'inquiry' | 'early_warning'
}

export type Decline = { readonly code: string; readonly declineCode?: string; readonly message: string }

const decline = (declineCode: string, message: string): Decline => ({ code: 'card_declined', declineCode, message })
const visa = (outcome: Omit<CardOutcome, 'brand'> = {}): CardOutcome => ({ brand: 'visa', ...outcome })

const GENERIC = decline('generic_decline', 'Your card was declined.')

/** Stripe's published test numbers, with the same meaning. */
const CARDS: Readonly<Record<string, CardOutcome>> = {
  '4242424242424242': visa(),
  '5555555555554444': { brand: 'mastercard' },
  '378282246310005': { brand: 'amex' },
  '4000000000003220': visa({ asks3ds: true, country: 'IE' }),
  '4000002760003184': visa({ asks3ds: true, country: 'DE' }),
  '4000008400001629': visa({ asks3ds: true, declined: GENERIC }),
  '4000000000000002': visa({ declined: GENERIC }),
  '4000000000009995': visa({ declined: decline('insufficient_funds', 'Your card has insufficient funds.') }),
  '4000000000009987': visa({ declined: decline('lost_card', 'Your card was declined.') }),
  '4000000000009979': visa({ declined: decline('stolen_card', 'Your card was declined.') }),
  '4000000000000069': visa({ declined: { code: 'expired_card', message: 'Your card has expired.' } }),
  '4000000000000127': visa({ declined: { code: 'incorrect_cvc', message: 'The security code is incorrect.' } }),
  '4000000000000119': visa({
    declined: { code: 'processing_error', message: 'The card could not be processed. Try again in a little while.' },
  }),
  '4100000000000019': visa({ declined: decline('fraudulent', 'Your card was declined.') }),
  '4000000000009235': visa({ isReviewed: true }),
  '4000000000007726': visa({ refund: 'pending' }),
  '4000000000005126': visa({ refund: 'fails_later' }),
  '4000000000000259': visa({ dispute: 'fraudulent' }),
  '4000000000002685': visa({ dispute: 'product_not_received' }),
  '4000000000001976': visa({ dispute: 'inquiry' }),
  '4000000000005423': visa({ dispute: 'early_warning' }),
}

/** No published card has these outcomes, so the expiry date chooses them. */
const EXPIRY_CAPTURE_REFUSED = '1/2040'
const EXPIRY_LAPSES = '2/2040'

export type CardInput = { readonly number: string; readonly month: string; readonly year: string; readonly cvc: string }

export type ReadCard = CardOutcome & {
  readonly last4: string
  readonly month: number
  readonly year: number
  readonly isCaptureRefused: boolean
  /** The authorisation ends a minute later. */
  readonly lapsesSoon: boolean
}

/** Checks the input as Stripe does before it asks the bank. A number without a published meaning is accepted. */
export function readCard(input: CardInput, now: Date): ReadCard | Decline {
  const number = input.number.replace(/[\s-]/g, '')
  const month = Number(input.month)
  const year = Number(input.year) < 100 ? 2000 + Number(input.year) : Number(input.year)
  if (!/^\d{13,19}$/.test(number) || !passesLuhn(number))
    return { code: 'incorrect_number', message: 'Your card number is incorrect.' }
  if (!(Number.isInteger(month) && month >= 1 && month <= 12))
    return { code: 'invalid_expiry_month', message: 'The expiry month is invalid.' }
  if (!Number.isInteger(year) || year * 12 + month <= now.getUTCFullYear() * 12 + now.getUTCMonth())
    return { code: 'invalid_expiry_year', message: 'The expiry date is in the past.' }
  if (!/^\d{3,4}$/.test(input.cvc)) return { code: 'invalid_cvc', message: 'The security code is invalid.' }
  const expiry = `${month}/${year}`
  return {
    ...(CARDS[number] ?? visa()),
    last4: number.slice(-4),
    month,
    year,
    isCaptureRefused: expiry === EXPIRY_CAPTURE_REFUSED,
    lapsesSoon: expiry === EXPIRY_LAPSES,
  }
}

function passesLuhn(number: string): boolean {
  let sum = 0
  for (const [index, digit] of [...number].reverse().entries()) {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
