import { Counter, type Registry } from 'prom-client'
import { MAIL_RESULTS, type MailReport } from './deliver-mails.ts'

export function addMailMetrics(registry: Registry) {
  const attempts = new Counter({
    name: 'serai_mail_attempts_total',
    help: 'Attempts to send a mail: sent, to be retried, or given up.',
    labelNames: ['result'],
    registers: [registry],
  })
  // Starts all series at 0, so that an alert notices the first increase.
  for (const result of MAIL_RESULTS) attempts.inc({ result }, 0)
  return { onReport: ({ result }: Pick<MailReport, 'result'>): void => attempts.inc({ result }) }
}
