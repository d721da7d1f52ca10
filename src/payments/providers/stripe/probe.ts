import type Stripe from 'stripe'
import type { CallContext } from '../../../lib/async/call-context.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { ProviderProbe } from '../../provider.ts'
import { ProviderError } from '../../provider-error.ts'
import type { StripeCall } from './client.ts'

/** Far below the tolerance of webhook signatures. */
const CLOCK_MAX_MS = 60_000
/** An object that does not exist: a key without the permission is refused before it is looked for. */
const NO_SUCH_PAYMENT = 'pi_serai_probe'

type Deps = {
  readonly call: StripeCall
  readonly lastDate: () => number | undefined
  readonly clock: Clock
  readonly isLive: boolean
}

type Permission = {
  readonly check: string
  readonly kind: 'read' | 'write'
  readonly try: (stripe: Stripe) => Promise<unknown>
}

const PERMISSIONS: readonly Permission[] = [
  { check: 'read payments', kind: 'read', try: (stripe) => stripe.paymentIntents.list({ limit: 1 }) },
  { check: 'write payments', kind: 'write', try: (stripe) => stripe.paymentIntents.cancel(NO_SUCH_PAYMENT) },
  { check: 'read refunds', kind: 'read', try: (stripe) => stripe.refunds.list({ limit: 1 }) },
  {
    check: 'write refunds',
    kind: 'write',
    try: (stripe) => stripe.refunds.create({ payment_intent: NO_SUCH_PAYMENT, amount: 100 }),
  },
  { check: 'read charges', kind: 'read', try: (stripe) => stripe.charges.list({ limit: 1 }) },
  // Required to expand the review of a payment.
  { check: 'read reviews', kind: 'read', try: (stripe) => stripe.reviews.list({ limit: 1 }) },
  { check: 'read disputes', kind: 'read', try: (stripe) => stripe.disputes.list({ limit: 1 }) },
]

/** Checks one after the other, so that a slow provider is not asked everything at once. */
export async function probeStripe(deps: Deps, context: CallContext): Promise<readonly ProviderProbe[]> {
  const key = await probeKey(deps, context)
  if (!key.isOk) return [key]
  const probes: ProviderProbe[] = [key]
  for (const permission of PERMISSIONS) probes.push(await probePermission(deps, permission, context))
  return [...probes, probeClock(deps)]
}

async function probeKey({ call, isLive }: Deps, context: CallContext): Promise<ProviderProbe> {
  try {
    const { livemode } = await call('balance', 'read', context, (stripe) => stripe.balance.retrieve())
    if (livemode === isLive) return { check: 'key', isOk: true, detail: isLive ? 'live' : 'test' }
    return { check: 'key', isOk: false, detail: `Stripe reports ${livemode ? 'live' : 'test'} mode for this key.` }
  } catch (error) {
    return failedProbe('key', error)
  }
}

/** Passes if Stripe looked for the object, whether it exists or not. */
async function probePermission({ call }: Deps, permission: Permission, context: CallContext): Promise<ProviderProbe> {
  const { check, kind } = permission
  try {
    await call(`probe ${check}`, kind, context, permission.try)
    return { check, isOk: true }
  } catch (error) {
    if (error instanceof ProviderError && ['not_found', 'refused'].includes(error.fault)) return { check, isOk: true }
    return failedProbe(check, error)
  }
}

function probeClock({ clock, lastDate }: Deps): ProviderProbe {
  const date = lastDate()
  if (date === undefined) return { check: 'clock', isOk: false, detail: 'Stripe sent no date.' }
  const seconds = Math.round((clock.now() - date) / 1_000)
  if (Math.abs(seconds) * 1_000 <= CLOCK_MAX_MS) return { check: 'clock', isOk: true }
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  const detail = `Our clock is ${Math.abs(seconds)} s ${direction} Stripe’s. Webhooks are refused above 300 s. Set the clock.`
  return { check: 'clock', isOk: false, detail }
}

function failedProbe(check: string, error: unknown): ProviderProbe {
  if (!(error instanceof ProviderError)) throw error
  const hint = error.fault === 'credentials' ? '. Give the key this permission.' : ''
  return { check, isOk: false, detail: `${error.detail}${hint}` }
}
