import type Stripe from 'stripe'
import type { Money } from '../../../domain/money/money.ts'
import type { CallContext } from '../../../lib/async/call-context.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { HOUR_MS } from '../../../lib/time/durations.ts'
import type { ListedPayment, PaymentProvider, Settled } from '../../provider.ts'
import { ProviderError } from '../../provider-error.ts'
import { type StripeAmount, toStripeUnits } from './amounts.ts'
import { openStripe, type StripeCall, type StripeCallReport } from './client.ts'
import { readFee } from './fee.ts'
import { readStripeNotification } from './notification.ts'
import { probeStripe } from './probe.ts'
import { isLiveKey, type StripeSettings } from './settings.ts'
import {
  assertManualCapture,
  malformed,
  PAYMENT_MARK,
  REFUND_MARK,
  readListed,
  readPaymentView,
  readStatus,
} from './view.ts'

export type StripeDeps = {
  readonly clock: Clock
  readonly onCall?: (report: StripeCallReport) => void
  /** Deadline of a whole call; 20 s by default. */
  readonly timeoutMs?: number
}

export type StripeProvider = PaymentProvider & { close(): Promise<void> }

/** Stripe may forget a key after 24 hours; then the same request would be a new one. */
const KEY_LIFE_MS = 23 * HOUR_MS
/** Shortest authorisation of a card network: Visa without the guest present, 4 days and 18 hours. */
const ASSUMED_HOLD_MS = (4 * 24 + 18) * HOUR_MS
const PAGE_SIZE = 100
/** Bounds every paging loop. */
const PAGES_MAX = 1_000
const EXPANDED = ['latest_charge', 'review']
const DESCRIPTION_MAX = 500

/** PaymentIntents that are authorised in the browser and captured by us. */
export function createStripeProvider(settings: StripeSettings, deps: StripeDeps): StripeProvider {
  const { publishableKey, webhookSecrets } = settings
  const isLive = isLiveKey(settings)
  const { call, lastDate, close } = openStripe({ ...settings, onCall: deps.onCall, timeoutMs: deps.timeoutMs })
  const retrieve = (reference: string, context: CallContext) =>
    call('retrieve', 'read', context, (stripe) => stripe.paymentIntents.retrieve(reference, { expand: EXPANDED }))

  return {
    id: 'stripe',
    capabilities: { settledBy: 'answer', keyLifeMs: KEY_LIFE_MS, assumedHoldMs: ASSUMED_HOLD_MS, isLive },
    accepts: (amount) => toStripeUnits(amount) !== undefined,
    ...createWrites(call, isLive),
    async look(reference, context) {
      const intent = await retrieve(reference, context)
      const charge = typeof intent.latest_charge === 'string' ? undefined : intent.latest_charge
      const refunds = intent.status === 'succeeded' ? await listRefunds(call, reference, context) : []
      const disputes = charge?.disputed === true ? await listDisputes(call, reference, context) : []
      return readPaymentView(intent, { refunds, disputes })
    },
    async nextStep(reference, context) {
      const intent = await retrieve(reference, context)
      assertManualCapture(intent, 'none')
      if (readStatus(intent) !== 'open') return { kind: 'none' }
      if (intent.client_secret === null) throw malformed(`${reference} has no client secret`)
      return { kind: 'confirm_in_browser', publishableKey, clientSecret: intent.client_secret }
    },
    list: (period, context) => listPayments(call, period, context),
    fee: (reference, context) => readFee(call, reference, context),
    readNotification: (headers, body) =>
      readStripeNotification(headers, body, { secrets: webhookSecrets, isLive, now: deps.clock.now() }),
    probe: (context) => probeStripe({ call, lastDate, clock: deps.clock, isLive }, context),
    close,
  }
}

/** The same key must always carry the same parameters, so none may depend on the time or on a setting. */
function createWrites(
  call: StripeCall,
  isLive: boolean,
): Pick<PaymentProvider, 'create' | 'capture' | 'void' | 'refund'> {
  return {
    async create({ paymentId, amount, description }, key, context) {
      const params = {
        ...inStripeUnits(amount),
        capture_method: 'manual',
        allowed_payment_method_types: ['card'],
        description: description.slice(0, DESCRIPTION_MAX),
        metadata: { [PAYMENT_MARK]: paymentId, serai_environment: isLive ? 'live' : 'test' },
      } satisfies Stripe.PaymentIntentCreateParams
      const intent = await call('create', 'write', context, (stripe) =>
        stripe.paymentIntents.create(params, { idempotencyKey: key }),
      )
      assertManualCapture(intent, 'unknown')
      return { reference: intent.id }
    },
    async capture(reference, amount, key, context) {
      const { amount: wanted } = inStripeUnits(amount)
      const intent = await call('capture', 'write', context, (stripe) =>
        stripe.paymentIntents.capture(reference, { amount_to_capture: wanted }, { idempotencyKey: key }),
      )
      if (intent.status === 'processing') return 'pending'
      if (intent.status !== 'succeeded' || intent.amount_received !== wanted)
        throw malformed(`${reference} is ${intent.status} with ${intent.amount_received} after the capture`, 'unknown')
      return 'done'
    },
    async void(reference, key, context) {
      const intent = await call('cancel', 'write', context, (stripe) =>
        stripe.paymentIntents.cancel(reference, { cancellation_reason: 'abandoned' }, { idempotencyKey: key }),
      )
      if (intent.status !== 'canceled') throw malformed(`${reference} is ${intent.status} after the cancel`, 'unknown')
      return 'done'
    },
    async refund({ reference, amount, operation }, key, context) {
      const params = {
        payment_intent: reference,
        amount: inStripeUnits(amount).amount,
        reason: 'requested_by_customer',
        metadata: { [REFUND_MARK]: operation },
      } satisfies Stripe.RefundCreateParams
      const refund = await call('refund', 'write', context, (stripe) =>
        stripe.refunds.create(params, { idempotencyKey: key }),
      )
      return readRefundAnswer(refund)
    },
  }
}

/** A refund that failed at once exists all the same, so the caller must look at it. */
function readRefundAnswer({ id, status, failure_reason: reason }: Stripe.Refund): Settled {
  if (status === 'succeeded') return 'done'
  if (status === 'failed' || status === 'canceled')
    throw new ProviderError('refused', 'unknown', { detail: `refund ${id} ${status} ${reason ?? ''}`.trim() })
  return 'pending'
}

function inStripeUnits(amount: Money): StripeAmount {
  const units = toStripeUnits(amount)
  if (units !== undefined) return units
  const detail = `${amount.minor} minor units of ${amount.currency} cannot be charged exactly`
  throw new ProviderError('refused', 'none', { detail })
}

const listRefunds = (call: StripeCall, payment_intent: string, context: CallContext) =>
  collect<Stripe.Refund>((after) =>
    call('list_refunds', 'read', context, (stripe) =>
      stripe.refunds.list({ payment_intent, limit: PAGE_SIZE, ...(after && { starting_after: after }) }),
    ),
  )

const listDisputes = (call: StripeCall, payment_intent: string, context: CallContext) =>
  collect<Stripe.Dispute>((after) =>
    call('list_disputes', 'read', context, (stripe) =>
      stripe.disputes.list({ payment_intent, limit: PAGE_SIZE, ...(after && { starting_after: after }) }),
    ),
  )

async function* listPayments(
  call: StripeCall,
  { from, to }: { readonly from: number; readonly to: number },
  context: CallContext,
): AsyncIterable<ListedPayment> {
  // Stripe counts whole seconds, both bounds included.
  const created = { gte: Math.floor(from / 1_000), lte: Math.floor(to / 1_000) }
  const pages = readPages<Stripe.PaymentIntent>((after) =>
    call('list', 'read', context, (stripe) =>
      stripe.paymentIntents.list({ created, limit: PAGE_SIZE, ...(after && { starting_after: after }) }),
    ),
  )
  for await (const intent of pages) {
    const listed = readListed(intent)
    if (listed !== undefined) yield listed
  }
}

type Page<Item> = { readonly data: readonly Item[]; readonly has_more: boolean }
type ReadPage<Item> = (after: string | undefined) => Promise<Page<Item>>

/** The client's own paging would leave the deadline and the limit of `call`. */
async function* readPages<Item extends { readonly id: string }>(readPage: ReadPage<Item>): AsyncGenerator<Item> {
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data, has_more } = await readPage(after)
    yield* data
    after = data.at(-1)?.id
    if (!has_more || after === undefined) return
  }
  throw malformed(`a list with more than ${PAGES_MAX} pages`)
}

async function collect<Item extends { readonly id: string }>(readPage: ReadPage<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of readPages(readPage)) items.push(item)
  return items
}
