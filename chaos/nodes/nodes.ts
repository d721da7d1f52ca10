import { freePort, type Postgres, startPostgres } from '../../test/support/servers/postgres.ts'
import { type RedisServer, startRedis } from '../../test/support/servers/redis.ts'
import {
  openStage,
  type ServerProcess,
  type Stage,
  sleep,
  spawnServer,
} from '../../test/support/servers/server-process.ts'
import { addAccounts } from '../crash/api-client.ts'
import { type Balancer, startBalancer } from './balancer.ts'

export type Nodes = {
  readonly postgres: Postgres
  readonly redis: RedisServer
  readonly stage: Stage
  readonly balancer: Balancer
  readonly env: Readonly<Record<string, string>>
  /** The process in one place; it changes when it is started again. */
  at(place: number): ServerProcess
  /** The polite end, then a new one in its place; answers the exit code once the balancer sends to it again. */
  restart(place: number): Promise<number | null>
  /** Starts one in the place of one that is gone. */
  start(place: number): Promise<void>
  close(): Promise<void>
}

const READY_TIMEOUT_MS = 40_000

/** Nodes on a real PostgreSQL and a real Redis behind a balancer, and the vendors' stand-ins beside them. */
export async function startNodes(count: number): Promise<Nodes> {
  const [postgres, redis, stage] = await Promise.all([startPostgres(), startRedis(), openStage('nodes')])
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const shared = {
    ...stage.sandbox.environment,
    SERAI_DATA_DIR: stage.dataDir,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    SERAI_DRAIN_MS: '700',
  }
  await addAccounts(shared)
  const launch = (port: number) => spawnServer({ dataDir: stage.dataDir, port, env: shared })
  const servers = ports.map(launch)
  const balancer = await startBalancer(servers.map(({ url }) => url))
  const at = (place: number): ServerProcess => {
    const server = servers[place]
    if (server === undefined) throw new Error(`there is no node ${place}`)
    return server
  }
  const untilReady = async (place: number) => {
    await at(place).ready
    const until = performance.now() + READY_TIMEOUT_MS
    while (!balancer.ready().includes(at(place).url)) {
      if (performance.now() > until) throw new Error(`node ${place} is not ready: ${at(place).output()}`)
      await sleep(50)
    }
  }
  const nodes: Nodes = {
    postgres,
    redis,
    stage,
    balancer,
    env: shared,
    at,
    async restart(place) {
      const code = await at(place).stop()
      await nodes.start(place)
      return code
    },
    async start(place) {
      servers[place] = launch(Number(new URL(at(place).url).port))
      await untilReady(place)
    },
    async close() {
      await Promise.all(servers.map((server) => server.kill()))
      await balancer.close()
      await stage.close()
      await Promise.all([redis.stop(), postgres.stop()])
    },
  }
  try {
    await Promise.all(servers.map((_, place) => untilReady(place)))
    return nodes
  } catch (error) {
    await nodes.close()
    throw error
  }
}
