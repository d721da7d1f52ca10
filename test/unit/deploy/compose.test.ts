import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { CANCEL_TIMEOUT_MS } from '../../../src/booking/settle/settle-bookings.ts'
import { readConfig } from '../../../src/config.ts'
import { plainProblem } from '../../../src/http/problem.ts'
import { scripted } from '../vendors/liteapi/scripted.ts'
import { type Compose, compose, interpolate, KNOWN_VARIABLES, readText, TEST_SECRETS } from './deploy-files.ts'

const { services } = compose
const tls = parse(readText('deploy/compose/tls.yaml')) as Compose
const nodes = Object.entries(services).filter(([name]) => name.startsWith('node-'))
const FILLED = { SERAI_SECRETS: TEST_SECRETS, POSTGRES_PASSWORD: 'a1b2c3', VALKEY_PASSWORD: 'd4e5f6' }
const readEnvironment = (name: string, env: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, interpolate(String(value), env)]),
  )

test('compose.yaml has two nodes, a database, a cache, a balancer and a migration', () => {
  expect(Object.keys(services).sort()).toEqual(['balancer', 'migrate', 'node-1', 'node-2', 'postgres', 'valkey'])
})

test('with the example filled in, every node has valid settings', () => {
  for (const [name] of nodes) {
    const environment = readEnvironment(name, FILLED)
    expect(Object.keys(environment).filter((key) => !KNOWN_VARIABLES.has(key))).toEqual([])
    expect(readConfig({ ...environment, NODE_ENV: 'production' })).toMatchObject({
      databaseUrl: 'postgres://serai:a1b2c3@postgres:5432/serai',
      redisUrl: 'redis://:d4e5f6@valkey:6379',
      trustProxy: 1,
      metrics: { port: 9090 },
      workers: 2,
    })
  }
})

test.each(Object.keys(FILLED))('compose refuses to start without %s', (missing) => {
  const env = { ...FILLED, [missing]: '' }
  const failing = Object.keys(services).filter((name) => {
    try {
      readEnvironment(name, env)
      return false
    } catch (error) {
      return String(error).includes(missing)
    }
  })
  expect(failing).not.toEqual([])
})

test('.env.example names every required variable and contains no secret', () => {
  const lines = readText('.env.example')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
  const example = Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string]))
  expect(example).toMatchObject({ SERAI_SECRETS: '', POSTGRES_PASSWORD: '', VALKEY_PASSWORD: '' })
  const wanted = [...readText('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  expect(Object.keys(example)).toEqual(expect.arrayContaining(wanted))
})

test('third-party images have a registry, which podman needs, and a version; all nodes use our own image', () => {
  for (const [name, { image }] of Object.entries(services)) {
    if (image.startsWith('serai:')) continue
    expect(image, name).toMatch(/^docker\.io\/\w+\/\w+:\d+(\.\d+)*-[a-z]+$/)
  }
  expect(nodes.every(([, { image }]) => image === services.migrate?.image)).toBe(true)
})

test('root file systems are read-only, memory is limited, and nodes have no capabilities', () => {
  for (const [name, service] of Object.entries(services)) {
    expect(service.read_only, name).toBe(true)
    expect(service.mem_limit, name).toMatch(/^\d+[mg]$/)
  }
  for (const [, node] of nodes) {
    expect(node.cap_drop).toEqual(['ALL'])
    expect(node.tmpfs).toEqual(expect.arrayContaining(['/tmp', '/data']))
  }
})

test('databases are isolated from the outside network', () => {
  expect(compose.networks.inside?.internal).toBe(true)
  expect(services.postgres?.networks).toEqual(['inside'])
  expect(services.valkey?.networks).toEqual(['inside'])
  expect(services.balancer?.networks).toEqual(['outside'])
})

test('nodes start after the migration, and every server has a health check', () => {
  for (const [, node] of nodes) {
    expect(node.depends_on?.migrate?.condition).toBe('service_completed_successfully')
    expect(node.depends_on?.valkey?.condition).toBe('service_healthy')
  }
  expect(services.migrate?.command).toEqual(['node', 'src/cli/serai.ts', 'migrate'])
  expect(services.migrate?.depends_on?.postgres?.condition).toBe('service_healthy')
  for (const name of ['balancer', 'postgres', 'valkey']) expect(services[name]?.healthcheck?.test).toBeDefined()
  expect(readText('Dockerfile')).toMatch(/^HEALTHCHECK /m)
})

test('nodes have the health check of the image, because images that podman builds have none', () => {
  const [, check = '[]'] = /^HEALTHCHECK [^[]*(\[.*\])$/m.exec(readText('Dockerfile').replaceAll('\\\n', '')) ?? []
  for (const [, node] of nodes) {
    const command = node.healthcheck?.test?.map((word) => word.replaceAll('$$', '$'))
    expect(command).toEqual(['CMD', ...JSON.parse(check)])
  }
})

test('the balancer finds the nodes through the name server of the engine, Docker or podman', () => {
  const file = readText('deploy/compose/haproxy.cfg')
  expect(file).toMatch(/^ {4}parse-resolv-conf$/m)
  expect(file).not.toMatch(/^ {4}nameserver /m)
  const mounts = [services, tls.services].flatMap(({ balancer }) => balancer?.volumes ?? [])
  // SELinux: without z, the container may not read files of the host.
  expect(mounts.filter((mount) => !mount.endsWith(':ro,z'))).toEqual([])
})

test('with TLS, the balancer reads the mounted files and the certificate, and publishes the ports of both frontends', () => {
  const { balancer } = tls.services
  const mounted = [services.balancer, balancer].flatMap((service) => service?.volumes ?? [])
  const targets = mounted.map((mount) => mount.split(':')[1])
  expect(balancer?.command).toEqual(['haproxy', ...targets.flatMap((path) => ['-f', path])])
  const frontends = readText('deploy/compose/tls.cfg')
  expect(frontends).toContain('ssl crt /run/secrets/certificate ')
  expect(Object.keys(tls.secrets ?? {})).toEqual(balancer?.secrets)
  const ports = [...frontends.matchAll(/bind :(\d+)/g)].map(([, port]) => port)
  expect(balancer?.ports?.map((port) => port.split(':')[1])).toEqual(ports)
  expect(interpolate(tls.secrets?.certificate?.file ?? '', { SERAI_CERTIFICATE: '/etc/cert.pem' })).toBe(
    '/etc/cert.pem',
  )
})

test('a node has enough time to drain and to close before it is killed', () => {
  const { drainMs } = readConfig({ NODE_ENV: 'production', SERAI_SECRETS: TEST_SECRETS })
  const close = Number(/CLOSE_TIMEOUT_MS = ([\d_]+)/.exec(readText('src/process/serve.ts'))?.[1]?.replaceAll('_', ''))
  for (const [, node] of nodes) {
    expect(Number.parseInt(node.stop_grace_period ?? '0', 10) * 1_000).toBeGreaterThan(drainMs + close)
  }
})

test('the database accepts as many connections as the nodes may open', () => {
  const environment = readEnvironment('node-1', FILLED)
  const { workers, databaseConnections } = readConfig({ ...environment, NODE_ENV: 'production' })
  const maxConnections = Number(/max_connections=(\d+)/.exec(services.postgres?.command?.join(' ') ?? '')?.[1])
  expect(maxConnections).toBeGreaterThan(nodes.length * workers * databaseConnections)
})

test('the balancer knows every node, checks readiness often enough, and retries only failed connections', () => {
  const file = readText('deploy/compose/haproxy.cfg')
  expect(services.balancer?.volumes?.[0]).toContain('./deploy/compose/haproxy.cfg:')
  const servers = [...file.matchAll(/^ {4}server (\S+) (\S+):(\d+)$/gm)].map(([, name, host, port]) => [
    name,
    host,
    port,
  ])
  expect(servers).toEqual(nodes.map(([name]) => [name, name, '4000']))
  expect(file).toContain('uri /readyz')
  const [, every = '', fall = ''] = /inter (\d+)ms fall (\d+)/.exec(file) ?? []
  const { drainMs } = readConfig({ NODE_ENV: 'production', SERAI_SECRETS: TEST_SECRETS })
  expect(Number(every) * (Number(fall) + 1)).toBeLessThanOrEqual(drainMs)
  expect(file).toMatch(/^ {4}retry-on conn-failure$/m)
  expect(file).toContain('del-header x-forwarded-for')
  expect(file, 'aborts searches of disconnected clients').toMatch(/^ {4}option abortonclose$/m)
})

test.each(['compose', 'systemd'])('the balancer of %s waits longer than the service waits for a vendor', (kind) => {
  const [, seconds] = /^ {4}timeout server (\d+)s$/m.exec(readText(`deploy/${kind}/haproxy.cfg`)) ?? []
  const { priceCheckTimeoutMs = 0 } = scripted([]).vendor.capabilities
  expect(Number(seconds) * 1_000).toBeGreaterThan(Math.max(priceCheckTimeoutMs, CANCEL_TIMEOUT_MS))
})

test('without a ready node, the balancer responds with the same problem as a node', () => {
  const line = readText('deploy/compose/haproxy.cfg')
    .split('\n')
    .find((entry) => entry.includes('http-error status 503'))
  expect(line).toContain('content-type application/problem+json hdr retry-after ')
  const { detail, instance, ...answer } = JSON.parse(/string '(.*)'$/.exec(line ?? '')?.[1] ?? '')
  expect(plainProblem('overloaded')).toMatchObject(answer)
  expect(answer.effect).toBe('none')
  expect([detail, instance]).toEqual([expect.any(String), expect.any(String)])
})

test('the balancer waits long enough for the check of a busy node, and limits its connections to those of the nodes', () => {
  const file = readText('deploy/compose/haproxy.cfg')
  const checkTimeoutMs = Number(
    /CHECK_TIMEOUT_MS = ([\d_]+)/.exec(readText('src/http/health.ts'))?.[1]?.replace('_', ''),
  )
  expect(Number(/^ {4}timeout check (\d+)s$/m.exec(file)?.[1]) * 1_000).toBeGreaterThan(checkTimeoutMs)
  const [maxConnections, perNode] = [...file.matchAll(/maxconn (\d+)/g)].map(([, count]) => Number(count))
  expect(maxConnections).toBe(nodes.length * (perNode ?? 0))
})
