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

export type Nodes = ServiceNodes & {
  readonly postgres: Postgres
  readonly redis: RedisServer
}

export type ServiceNodes = {
  readonly stage: Stage
  readonly balancer: Balancer
  readonly env: Readonly<Record<string, string>>
  /** The current process of a node; a restart replaces it. */
  getServer(index: number): ServerProcess
  /**
   * Stops a node gracefully and starts a new process in its place. Returns the exit code when the balancer uses the
   * node again.
   */
  restart(index: number): Promise<number | null>
  /** Starts a process for a node that is gone. */
  start(index: number): Promise<void>
  close(): Promise<void>
}

const READY_TIMEOUT_MS = 40_000

/** Nodes on a real PostgreSQL and Redis behind a balancer, with the vendors' stand-ins. */
export async function startNodes(count: number): Promise<Nodes> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const stop = async () => {
    await Promise.all([redis.stop(), postgres.stop()])
  }
  try {
    const nodes = await startServiceNodes(count, { DATABASE_URL: postgres.url, REDIS_URL: redis.url })
    return { ...nodes, postgres, redis, close: () => nodes.close().finally(stop) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Nodes behind a balancer, on the stores that the environment names. */
export async function startServiceNodes(count: number, env: Readonly<Record<string, string>>): Promise<ServiceNodes> {
  const stage = await openStage('nodes')
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const shared = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir, SERAI_DRAIN_MS: '2000', ...env }
  await addAccounts(shared)
  const launch = (port: number) => spawnServer({ dataDir: stage.dataDir, port, env: shared })
  const servers = ports.map(launch)
  const balancer = await startBalancer(servers.map(({ url }) => url))
  const getServer = (index: number): ServerProcess => {
    const server = servers[index]
    if (server === undefined) throw new Error(`node ${index} does not exist`)
    return server
  }
  const waitUntilReady = async (index: number) => {
    await getServer(index).ready
    const until = performance.now() + READY_TIMEOUT_MS
    while (!balancer.ready().includes(getServer(index).url)) {
      if (performance.now() > until) throw new Error(`node ${index} is not ready: ${getServer(index).output()}`)
      await sleep(50)
    }
  }
  const nodes: ServiceNodes = {
    stage,
    balancer,
    env: shared,
    getServer,
    async restart(index) {
      const code = await getServer(index).stop()
      await nodes.start(index)
      return code
    },
    async start(index) {
      servers[index] = launch(Number(new URL(getServer(index).url).port))
      await waitUntilReady(index)
    },
    async close() {
      await Promise.all(servers.map((server) => server.kill()))
      await balancer.close()
      await stage.close()
    },
  }
  try {
    await Promise.all(servers.map((_, index) => waitUntilReady(index)))
    return nodes
  } catch (error) {
    await nodes.close()
    throw error
  }
}
