import { Counter, Gauge, type Registry } from 'prom-client'
import type { HistoryReader } from './history.ts'

export function addHistoryMetrics(registry: Registry, history: Pick<HistoryReader, 'read'>): void {
  new Gauge({
    name: 'serai_commits_lost',
    help: '1 from a restore or failover until a reconciliation has ended; bookings may be missing.',
    registers: [registry],
    aggregator: 'max',
    async collect() {
      // The last value stays while the database is down.
      const known = await history.read().catch(() => undefined)
      if (known !== undefined) this.set(known.isBehind ? 1 : 0)
    },
  })
}

/** Returns a function that counts a read. */
export function addReplicaMetrics(registry: Registry): (server: 'replica' | 'primary') => void {
  const reads = new Counter({
    name: 'serai_replica_reads_total',
    help: 'Reads for the read replica, by the server that answered.',
    labelNames: ['server'],
    registers: [registry],
  })
  return (server) => reads.inc({ server })
}
