import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from './postgres.ts'
import { type RedisServer, startRedis } from './redis.ts'

export type RedisGroup = {
  readonly url: string
  /** Kills one primary; another server takes its place. */
  killPrimary(): Promise<void>
  stop(): Promise<void>
}

const FAILOVER_AFTER_MS = 1_000
const NAME = 'main'

/** A primary, a replica and three Sentinels. */
export async function startSentinels(): Promise<RedisGroup> {
  const primary = await startRedis()
  const replica = await startRedis(() => ['--replicaof', '127.0.0.1', `${primary.port}`])
  const configuration = [
    `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 2`,
    `sentinel down-after-milliseconds ${NAME} ${FAILOVER_AFTER_MS}`,
    `sentinel failover-timeout ${NAME} ${FAILOVER_AFTER_MS}`,
  ].join('\n')
  const startSentinel = () =>
    startRedis((folder) => {
      const file = join(folder, 'sentinel.conf')
      writeFileSync(file, configuration)
      return [file, '--sentinel']
    })
  const sentinels = [await startSentinel(), await startSentinel(), await startSentinel()]
  await waitFor(async () => (await infoOf(sentinels[0], 'sentinel')).includes('slaves=1,sentinels=3'))
  return {
    url: `redis-sentinel://${listHosts(sentinels)}/${NAME}`,
    killPrimary: primary.kill,
    stop: () => stopAll([...sentinels, replica, primary]),
  }
}

/** Three primaries with a replica each. */
export async function startRedisCluster(): Promise<RedisGroup> {
  const servers: { redis: RedisServer; busPort: number; id: string }[] = []
  for (let i = 0; i < 6; i += 1) {
    const busPort = await freePort()
    const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', `${FAILOVER_AFTER_MS}`]
    const redis = await startRedis(() => [...settings, '--cluster-port', `${busPort}`])
    servers.push({ redis, busPort, id: await query(redis, (client) => client.cluster('MYID')) })
  }
  const [first] = servers
  for (const { redis, busPort } of servers)
    await query(first?.redis, (client) => client.call('CLUSTER', 'MEET', '127.0.0.1', redis.port, busPort))
  const waitForInfo = async (line: string) => {
    for (const { redis } of servers)
      await waitFor(async () => (await query(redis, (client) => client.cluster('INFO'))).includes(line))
  }
  await waitForInfo('cluster_known_nodes:6')
  for (const [index, [from, to]] of [
    [0, 5_460],
    [5_461, 10_922],
    [10_923, 16_383],
  ].entries()) {
    await query(servers[index]?.redis, (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', from ?? 0, to ?? 0))
    await query(servers[index + 3]?.redis, (client) => client.cluster('REPLICATE', servers[index]?.id ?? ''))
  }
  await waitForInfo('cluster_state:ok')
  const all = servers.map(({ redis }) => redis)
  return {
    url: `redis-cluster://${listHosts(all)}`,
    killPrimary: async () => first?.redis.kill(),
    stop: () => stopAll(all),
  }
}

const listHosts = (servers: readonly RedisServer[]) => servers.map(({ port }) => `127.0.0.1:${port}`).join()

async function stopAll(servers: readonly RedisServer[]): Promise<void> {
  for (const server of servers) await server.stop()
}

const infoOf = (server: RedisServer | undefined, section: string) => query(server, (client) => client.info(section))

async function query(server: RedisServer | undefined, ask: (client: Redis) => Promise<unknown>): Promise<string> {
  const client = new Redis(server?.url ?? '')
  try {
    return String(await ask(client))
  } finally {
    client.disconnect()
  }
}

async function waitFor(isReached: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isReached()) return
    await new Promise((later) => setTimeout(later, 100))
  }
  throw new Error('the servers did not find each other within 20 s')
}
