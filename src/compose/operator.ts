import { createAccountStore } from '../accounts/store/accounts.ts'
import { bookingAnswer } from '../booking/present/booking.ts'
import { createReconcile } from '../booking/reconcile/reconcile.ts'
import { createAskVendor } from '../booking/settle/ask-vendor.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { deriveKeyring } from '../lib/crypto/keyring.ts'
import type { LocationIndex } from '../locations/location-index.ts'
import { createActOnBooking } from '../operator/act-on-booking.ts'
import { type AttentionSource, createAttention } from '../operator/attention/attention.ts'
import { bookingSources } from '../operator/attention/booking-attention.ts'
import { deliverySources } from '../operator/attention/delivery-attention.ts'
import { historySource } from '../operator/attention/history-attention.ts'
import { paymentSources } from '../operator/attention/payment-attention.ts'
import { ratesSource } from '../operator/attention/rates-attention.ts'
import { vendorSources } from '../operator/attention/vendor-attention.ts'
import { createReadBookingFile } from '../operator/booking-file.ts'
import { createFindAnything } from '../operator/find-anything.ts'
import { createFindBookings } from '../operator/find-bookings.ts'
import { createReadRequest } from '../operator/read-request.ts'
import { createReplayWebhooks } from '../operator/replay-webhooks.ts'
import { createReadNumbers } from '../operator/statements/read-numbers.ts'
import { createAttentionMarkStore } from '../operator/store/attention-marks.ts'
import { createAttentionBookingStore, createOperatorBookingStore } from '../operator/store/bookings.ts'
import { createNamedObjectStore } from '../operator/store/named-objects.ts'
import { createNumbersStore } from '../operator/store/numbers.ts'
import type { ExchangeRatesKeeper } from '../rates/exchange-rates.ts'
import { createFailingWebhookStore } from '../webhooks/store/failing.ts'
import type { composeBooking } from './booking.ts'
import type { Core } from './core.ts'
import type { composeMail } from './mail.ts'
import type { ComposedMonitoring } from './monitoring.ts'
import type { ComposedSearch } from './search.ts'
import type { composeVendors } from './vendors.ts'
import type { composeWebhooks } from './webhooks.ts'

type Parts = {
  readonly search: ComposedSearch
  readonly booking: ReturnType<typeof composeBooking>
  readonly mail: ReturnType<typeof composeMail>
  readonly webhooks: ReturnType<typeof composeWebhooks>
  readonly catalogue: Pick<Catalogue, 'findPropertyId'>
  readonly locations: Pick<LocationIndex, 'zoneAt'>
  readonly calls: Awaited<ReturnType<typeof composeVendors>>['calls']
  readonly drift: Awaited<ReturnType<typeof composeVendors>>['drift']
  readonly monitoring: ComposedMonitoring
  readonly exchangeRates: ExchangeRatesKeeper
}

export function composeOperator(
  { config, clock, database, history, ids }: Core,
  { search, booking, mail, webhooks, catalogue, locations, calls, drift, monitoring, exchangeRates }: Parts,
) {
  const { bookings, cancelBooking } = booking
  const personKeys = deriveKeyring(config.secrets, 'persons')
  const operatorBookings = createOperatorBookingStore(database, personKeys)
  const accounts = createAccountStore(database)
  const failing = createFailingWebhookStore(database)
  const sources: readonly AttentionSource[] = [
    historySource(history),
    ...bookingSources(createAttentionBookingStore(database, personKeys)),
    ...paymentSources(booking.paying.lists),
    ...deliverySources({ webhooks: failing, mails: mail.log }),
    ratesSource(exchangeRates),
    drift.attention,
    ...vendorSources(monitoring.vendorHealth, search.refusedConditions),
  ]
  const attention = createAttention({ sources, marks: createAttentionMarkStore(database), clock })
  const askVendor = createAskVendor({ ...booking, clock })
  const { sendAgain: sendMailAgain } = mail
  return {
    ...monitoring,
    attention,
    exchangeRates,
    replayWebhooks: createReplayWebhooks({ webhooks: failing, log: webhooks.deliveryLog, clock }),
    readRequest: createReadRequest({
      requests: monitoring.requestLog,
      calls: calls.store,
      flushCalls: calls.flush,
    }),
    findBookings: createFindBookings(operatorBookings),
    findAnything: createFindAnything({ bookings: operatorBookings, accounts, requests: monitoring.requestLog }),
    readNumbers: createReadNumbers({ store: createNumbersStore(database), clock, rates: search.rates }),
    nameObjects: createNamedObjectStore(database).names,
    readBookingFile: createReadBookingFile({
      bookings,
      accounts,
      calls: calls.store,
      flushCalls: calls.flush,
      webhooks: webhooks.deliveryLog,
      mails: mail.log,
    }),
    reconcile: createReconcile({
      ...{ bookings, worlds: search.worlds, zoneAt: locations.zoneAt, history, clock, ids },
      findPropertyId: catalogue.findPropertyId,
      accountExists: async (id) => (await accounts.byId(id)) !== undefined,
    }),
    actOnBooking: createActOnBooking({
      bookings,
      askVendor,
      cancelBooking,
      sendMailAgain,
      links: mail.forHttp.bookingLinks,
      attention,
      clock,
      present: bookingAnswer,
    }),
  }
}
