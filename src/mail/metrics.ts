import { Counter, type Registry } from 'prom-client'
import { MAIL_RESULTS, type MailReport } from './deliver-mails.ts'

/** Attempts to send mails, by how they went. */
export function addMailMetrics(registry: Registry) {
  const attempts = new Counter({
    name: 'serai_mail_attempts_total',
    help: 'Attempts to send a mail: sent, to be retried, or given up.',
    labelNames: ['result'],
    registers: [registry],
  })
  // From the beginning, or an alert would miss the first of a kind: a series that begins with 1 has not grown.
  for (const result of MAIL_RESULTS) attempts.inc({ result }, 0)
  return { onReport: ({ result }: Pick<MailReport, 'result'>): void => attempts.inc({ result }) }
}
