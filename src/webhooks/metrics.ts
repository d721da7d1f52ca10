import { Counter, type Registry } from 'prom-client'
import { DELIVERY_RESULTS, type DeliveryReport } from './deliver-webhooks.ts'

export function addWebhookMetrics(registry: Registry) {
  const attempts = new Counter({
    name: 'serai_webhook_attempts_total',
    help: 'Attempts to deliver a webhook: delivered, to be retried, given up, or the webhook was disabled.',
    labelNames: ['result'],
    registers: [registry],
  })
  // Starts all series at 0, so that an alert notices the first increase.
  for (const result of DELIVERY_RESULTS) attempts.inc({ result }, 0)
  return { onReport: ({ result }: Pick<DeliveryReport, 'result'>): void => attempts.inc({ result }) }
}
