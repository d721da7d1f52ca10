import { Counter, type Registry } from 'prom-client'

/** Attempts to send mails, by how they went. */
export function addMailMetrics(registry: Registry) {
  const attempts = new Counter({
    name: 'serai_mail_attempts_total',
    help: 'Attempts to send a mail: sent, to be retried, or given up.',
    labelNames: ['result'],
    registers: [registry],
  })
  return { onReport: ({ result }: { readonly result: string }): void => attempts.inc({ result }) }
}
