import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { splitHosts } from '../lib/net/web-address.ts'

const SENTINEL_PORT = 26_379
const REDIS_PORT = 6_379
const RECONNECT_MAX_MS = 1_000

/** Commands fail at once without a connection. */
const LIMITS = {
  connectTimeout: 1_000,
  commandTimeout: 250,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  disableClientInfo: true,
} as const
const COMMON = { enableOfflineQueue: false, enableAutoPipelining: true, keyPrefix: 'serai:' } as const
/** During a failover, requests continue without Redis instead of waiting for it. */
const CLUSTER_RETRIES = { maxRedirections: 2, retryDelayOnFailover: 50, retryDelayOnClusterDown: 50 } as const

const waitBeforeRetry = (times: number) => Math.min(RECONNECT_MAX_MS, 50 * 2 ** Math.min(times, 6))

/**
 * Connects to one server, to the primary that Sentinels name (`redis-sentinel://a,b/NAME`), or to a cluster
 * (`redis-cluster://a,b`). Every command and script has one key, so that a cluster can run it.
 */
export function createRedisClient(address: string): Redis | Cluster {
  const urls = splitHosts(address).map((url) => new URL(url))
  const [{ protocol, pathname, searchParams }] = urls as [URL]
  const options = { ...LIMITS, ...readLogin(urls[0] as URL) }
  if (protocol.endsWith('-cluster:'))
    return new Cluster(listNodes(urls, REDIS_PORT), {
      ...COMMON,
      ...CLUSTER_RETRIES,
      clusterRetryStrategy: waitBeforeRetry,
      redisOptions: options,
    })
  const common = { ...COMMON, retryStrategy: waitBeforeRetry }
  if (!protocol.endsWith('-sentinel:')) return new Redis(address.replace(/^valkey/, 'redis'), { ...LIMITS, ...common })
  return new Redis({
    ...options,
    ...common,
    sentinels: listNodes(urls, SENTINEL_PORT),
    name: pathname.slice(1),
    sentinelRetryStrategy: waitBeforeRetry,
    ...(options.tls && { enableTLSForSentinelMode: true, sentinelTLS: options.tls }),
    ...(searchParams.has('sentinel_password') && { sentinelPassword: searchParams.get('sentinel_password') ?? '' }),
  })
}

const listNodes = (urls: readonly URL[], defaultPort: number) =>
  urls.map(({ hostname, port }) => ({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPort) }))

const readLogin = ({ protocol, username, password }: URL): Pick<RedisOptions, 'username' | 'password' | 'tls'> => ({
  ...(username !== '' && { username: decodeURIComponent(username) }),
  ...(password !== '' && { password: decodeURIComponent(password) }),
  ...(/^(redis|valkey)s-/.test(protocol) && { tls: {} }),
})
