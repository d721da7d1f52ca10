import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Payment } from '../../../web/src/api/shapes.ts'
import type { Checkout } from '../../../web/src/checkout/checkout.ts'
import type { CardForm, Confirmation } from '../../../web/src/payment/card-form.ts'
import { createTabStorage } from '../../support/web/tab-storage.ts'

/** Browsers accept URLs without an origin. */
class PageRequest extends Request {
  constructor(input: string, init?: RequestInit) {
    super(new URL(input, 'http://page'), init)
  }
}

const CHECKOUT = {
  id: 'web_a',
  room: { booking_info: { bed_id: '1', price_check_uri: '/api/accommodation/price_check?token=t' } },
  termsDigest: 'trm1_x',
  charge: { amount: 229.9, currency: 'EUR', isPayable: true },
  attemptKey: 'key_a',
} as unknown as Checkout

const NEXT = { kind: 'confirm_in_browser', publishable_key: 'pk_test_1', client_secret: 'pi_1_secret_2' } as const
const aPayment = (more: Partial<Payment> = {}): Payment => ({
  ...{ payment_id: 'pay_1', provider: 'stripe', status: 'requires_payment', amount: 229.9, currency: 'EUR' },
  ...{ authorised: 0, captured: 0, refunded: 0, refund_pending: 0, booking_id: null, card: null, failure: null },
  ...{ capture_before: null, expires_at: '2027-01-15T12:20:00.000Z', created_at: '2027-01-15T12:00:00.000Z' },
  ...{ updated_at: '2027-01-15T12:00:00.000Z', simulated: false, next: NEXT },
  ...more,
})

/** `lost`: the connection breaks. The last answer is repeated. */
type Answer = Payment | 'lost' | { readonly status: number; readonly problem: object }

/** A page whose service gives these answers about payments. */
async function openPage(answers: readonly Answer[]) {
  const asked: string[] = []
  const left = [...answers]
  vi.stubGlobal('sessionStorage', createTabStorage())
  vi.stubGlobal('localStorage', createTabStorage())
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('Request', PageRequest)
  vi.stubGlobal('fetch', async (request: string | Request) => {
    if (typeof request === 'string') return Response.json({ guests: 'book', session: { account: null } })
    asked.push(`${request.method} ${new URL(request.url).pathname}`)
    const answer = left.length > 1 ? left.shift() : left[0]
    if (answer === undefined || answer === 'lost') throw new TypeError('fetch failed')
    if ('problem' in answer) return Response.json(answer.problem, { status: answer.status })
    return Response.json({ data: answer })
  })
  vi.resetModules()
  const { authorise, resume } = await import('../../../web/src/payment/authorise.ts')
  const kept: Checkout[] = []
  const onAsking = vi.fn()
  const steps = (result: Confirmation | undefined, isValid = true) => {
    const confirm = vi.fn(async () => result ?? { kind: 'unknown' as const })
    const form: CardForm = { check: async () => isValid, confirm, update: vi.fn(), unmount: vi.fn() }
    const signal = new AbortController().signal
    return { form, confirm, signal, onAsking, keep: (checkout: Checkout) => void kept.push(checkout) }
  }
  return { authorise, resume, steps, asked, kept, onAsking }
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.resetModules()
  })
})

/** Lets the page ask for a minute. */
async function wait<T>(result: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(60_000)
  return result
}

test('an authorised card continues with its payment, and the secret is never kept', async () => {
  const { authorise, steps, asked, kept } = await openPage([aPayment()])
  const { confirm, ...rest } = steps({ kind: 'authorised' })
  const paid = await authorise(CHECKOUT, rest)
  expect(paid).toMatchObject({ payment: { id: 'pay_1', state: 'authorised' } })
  expect(confirm).toHaveBeenCalledExactlyOnceWith('pi_1_secret_2')
  expect(asked).toEqual(['POST /api/payments'])
  expect(JSON.stringify([paid, kept])).not.toContain('secret')
})

test('nothing is created while a field of the card is wrong', async () => {
  const { authorise, steps, asked } = await openPage([aPayment()])
  expect(await authorise(CHECKOUT, steps({ kind: 'authorised' }, false))).toEqual({ phase: 'form' })
  expect(asked).toEqual([])
})

test('after a declined card the next one pays the same payment', async () => {
  const { authorise, steps, asked, kept } = await openPage([aPayment()])
  const declined = await authorise(CHECKOUT, steps({ kind: 'declined', code: 'insufficient_funds' }))
  expect(declined).toEqual({ phase: 'declined', code: 'insufficient_funds' })
  const again = kept.at(-1) as Checkout
  expect(await authorise(again, steps({ kind: 'authorised' }))).toMatchObject({ payment: { id: 'pay_1' } })
  expect(asked).toEqual(['POST /api/payments', 'GET /api/payments/pay_1'])
})

test('after a lost result the page asks until the service knows, even if the connection fails meanwhile', async () => {
  const answers = [aPayment(), 'lost', 'lost', aPayment(), aPayment({ status: 'authorised', next: null })] as const
  const { authorise, steps, asked, onAsking } = await openPage(answers)
  const { confirm, ...rest } = steps({ kind: 'unknown' })
  expect(await wait(authorise(CHECKOUT, rest))).toMatchObject({ payment: { state: 'authorised' } })
  expect(confirm).toHaveBeenCalledOnce()
  expect(onAsking).toHaveBeenCalledOnce()
  expect(asked.filter((each) => each.startsWith('POST'))).toHaveLength(1)
})

test('a lost result that never arrived at the provider leads back to the form with the same payment', async () => {
  const { authorise, steps, kept } = await openPage([aPayment()])
  expect(await wait(authorise(CHECKOUT, steps({ kind: 'unknown' })))).toEqual({ phase: 'declined', code: 'unfinished' })
  expect(kept.at(-1)?.payment).toEqual({ id: 'pay_1', state: 'open' })
})

test('a card that the bank refused while the connection was lost is reported with the bank’s reason', async () => {
  const refused = aPayment({ failure: { code: 'expired_card', message: 'Expired.' } })
  const { authorise, steps } = await openPage([aPayment(), refused])
  expect(await wait(authorise(CHECKOUT, steps({ kind: 'unknown' })))).toEqual({
    phase: 'declined',
    code: 'expired_card',
  })
})

test('a payment that a booking has claimed in another tab leads to that booking', async () => {
  const { authorise, steps } = await openPage([aPayment({ status: 'held', booking_id: 'bkg_1', next: null })])
  const { confirm, ...rest } = steps({ kind: 'authorised' })
  expect(await authorise(CHECKOUT, rest)).toMatchObject({ bookingId: 'bkg_1' })
  expect(confirm).not.toHaveBeenCalled()
})

test('if the provider takes no card any more and the service does not know why yet, the page asks', async () => {
  const open = aPayment({ next: null })
  const { authorise, steps, onAsking } = await openPage([open, open, aPayment({ status: 'authorised', next: null })])
  const { confirm, ...rest } = steps({ kind: 'authorised' })
  expect(await wait(authorise(CHECKOUT, rest))).toMatchObject({ payment: { state: 'authorised' } })
  expect(confirm).not.toHaveBeenCalled()
  expect(onAsking).toHaveBeenCalledOnce()
})

test('a payment that has expired is replaced by another one', async () => {
  const { authorise, steps, asked } = await openPage([aPayment({ status: 'voided', next: null }), aPayment()])
  const known: Checkout = { ...CHECKOUT, payment: { id: 'pay_0', state: 'open' } }
  expect(await authorise(known, steps({ kind: 'authorised' }))).toMatchObject({ payment: { id: 'pay_1' } })
  expect(asked).toEqual(['GET /api/payments/pay_0', 'POST /api/payments'])
})

test('after a reload during the payment the page asks for the result instead of paying again', async () => {
  const { resume, steps, asked } = await openPage([aPayment(), aPayment({ status: 'authorised', next: null })])
  const paying: Checkout = { ...CHECKOUT, payment: { id: 'pay_1', state: 'confirming' } }
  expect(await wait(resume(paying, steps(undefined)))).toMatchObject({ payment: { state: 'authorised' } })
  expect(new Set(asked)).toEqual(new Set(['GET /api/payments/pay_1']))
})

test('a payment that cannot be created is reported as not started, never as possibly booked', async () => {
  const { authorise, steps } = await openPage(['lost'])
  expect(await authorise(CHECKOUT, steps({ kind: 'authorised' }))).toMatchObject({ phase: 'unpaid' })
  const down = await openPage([{ status: 504, problem: { code: 'payment_outcome_unknown', effect: 'unknown' } }])
  expect(await down.authorise(CHECKOUT, down.steps({ kind: 'authorised' }))).toMatchObject({ phase: 'unpaid' })
})
