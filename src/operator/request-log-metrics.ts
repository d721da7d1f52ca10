import { Counter, type Registry } from 'prom-client'

export function addRequestLogMetrics(registry: Registry) {
  const dropped = new Counter({
    name: 'serai_request_log_dropped_total',
    help: 'Requests that were answered but not written to the request log, because too many came at once.',
    registers: [registry],
  })
  return { onDropped: (count: number): void => dropped.inc(count) }
}
