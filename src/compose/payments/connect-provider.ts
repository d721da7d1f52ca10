import { ConfigError } from '../../config.ts'
import type { CardForm } from '../../payments/card-form.ts'
import { addProviderCallMetrics } from '../../payments/metrics.ts'
import type { PaymentProvider } from '../../payments/provider.ts'
import { findMixedModes, readPaymentSettings } from '../../payments/settings.ts'
import type { Vendor, VendorEnvironment } from '../../vendors/contract.ts'
import type { Core, Overrides } from '../core.ts'

export type ConnectedProvider = {
  readonly provider: PaymentProvider
  /** Undefined if a test replaces the provider. */
  readonly form: CardForm | undefined
  close(): Promise<void>
}

type Connected = {
  readonly vendors: readonly Pick<Vendor, 'id'>[]
  getEnvironment(vendorId: string): VendorEnvironment
}

/** Connects the configured provider. Undefined if every booking is on account. */
export async function connectProvider(
  { config, clock, log, registry }: Core,
  overrides: Overrides,
  { vendors, getEnvironment }: Connected,
): Promise<ConnectedProvider | undefined> {
  const { paymentProvider } = overrides
  const observeCall = addProviderCallMetrics(registry)
  if (paymentProvider !== undefined) return { provider: paymentProvider, form: undefined, close: async () => undefined }
  const settings = config.payments ?? readPaymentSettings((await overrides.vendorEnvironment) ?? {})
  if (settings === undefined || settings === 'off') return undefined
  if ('error' in settings) throw new ConfigError(settings.error)
  const environments = vendors.map(({ id }) => ({ id, environment: getEnvironment(id) }))
  const mixed = findMixedModes(settings, config.mode, environments)
  if (mixed !== undefined) throw new ConfigError(mixed)
  // Loaded only if configured, because the client takes long to load.
  const [{ createStripeProvider }, { describeCardForm }] = await Promise.all([
    import('../../payments/providers/stripe/stripe.ts'),
    import('../../payments/providers/stripe/card-form.ts'),
  ])
  const provider = createStripeProvider(settings.stripe, {
    clock,
    onCall: (report) => {
      observeCall(settings.provider, report)
      log.debug(report, 'call to the payment provider')
    },
  })
  return { provider, form: describeCardForm(settings.stripe), close: () => provider.close() }
}
