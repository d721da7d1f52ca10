import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as requestPlain, type Server } from 'node:http'
import { connect } from 'node:http2'
import { request as requestTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createSelfSigned } from '../../../sandbox/server/self-signed.ts'
import { findProgram } from '../../../scripts/system-packages.ts'
import { describeWith } from '../../support/cli/describe-with.ts'
import { freePort } from '../../support/servers/postgres.ts'
import { readText } from '../../unit/deploy/deploy-files.ts'

const HAPROXY = findProgram('haproxy', '/usr/sbin/haproxy')
const folder = mkdtempSync(join(tmpdir(), 'serai-balancer-'))
const certificate = createSelfSigned('localhost')
writeFileSync(join(folder, 'certificate.pem'), `${certificate.cert}${certificate.key}`)
afterAll(() => rmSync(folder, { recursive: true }))

/** Files of one balancer with the paths, ports and servers of this machine. */
function writeLocal(files: readonly string[], replacements: readonly (readonly [string, string])[]): string[] {
  return files.flatMap((file, index) => {
    const local = replacements.reduce((text, [from, to]) => text.replaceAll(from, to), readText(file))
    const path = join(folder, `${index}.cfg`)
    writeFileSync(path, local)
    return ['-f', path]
  })
}

const COMPOSE = ['deploy/compose/haproxy.cfg', 'deploy/compose/tls.cfg']
const CERTIFICATE_PATHS = ['/run/secrets/certificate', '/etc/haproxy/serai.pem'] as const
const WITH_CERTIFICATE = CERTIFICATE_PATHS.map((path) => [path, join(folder, 'certificate.pem')] as const)

/** A node that can stop being ready, and that breaks the connection of a request to `/break`. */
function startNode(name: string, port = 0) {
  const requests: string[] = []
  let isReady = true
  const server: Server = createServer((request, response) => {
    if (request.url === '/readyz') return void response.writeHead(isReady ? 200 : 503).end()
    requests.push(`${request.method} ${request.url}`)
    if (request.url === '/break') return void request.socket.destroy()
    response.end(JSON.stringify({ name, forwarded: request.headers['x-forwarded-for'] }))
  })
  return new Promise<{ port: number; requests: string[]; drain(): void; close(): Promise<void> }>((resolve) =>
    server.listen(port, '127.0.0.1', () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        requests,
        drain: () => {
          isReady = false
        },
        close: () =>
          new Promise((done) => {
            server.close(() => done())
            server.closeAllConnections()
          }),
      }),
    ),
  )
}

type Reply = { status: number; body: string; location: string | undefined }
const call = (url: string, method = 'GET'): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestTls : requestPlain
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    send(url, { method, headers, ca: certificate.cert, agent: false }, async (response: IncomingMessage) => {
      const body = (await response.toArray()).join('')
      resolve({ status: response.statusCode ?? 0, body, location: response.headers.location })
    })
      .on('error', reject)
      .end()
  })

let closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closers.map((close) => close()))
  closers = []
})

function run(files: readonly string[]): void {
  const proxy = spawn(HAPROXY ?? 'haproxy', ['-db', ...files], { stdio: 'ignore' })
  const exited = new Promise((resolve) => proxy.once('exit', resolve))
  closers.push(() => {
    proxy.kill('SIGKILL')
    return exited
  })
}

describeWith('haproxy', HAPROXY, 'the balancer of Compose', () => {
  async function start() {
    const nodes = [await startNode('node-1'), await startNode('node-2')] as const
    closers.push(...nodes.map((node) => node.close))
    const [http, https, toTls] = [await freePort(), await freePort(), await freePort()]
    const files = writeLocal(COMPOSE, [
      ...WITH_CERTIFICATE,
      ['bind :8080', `bind 127.0.0.1:${http}`],
      ['bind :8443', `bind 127.0.0.1:${https}`],
      ['bind :8081', `bind 127.0.0.1:${toTls}`],
      ['server node-1 node-1:4000', `server node-1 127.0.0.1:${nodes[0].port}`],
      ['server node-2 node-2:4000', `server node-2 127.0.0.1:${nodes[1].port}`],
    ])
    run(files)
    const url = `http://127.0.0.1:${http}`
    await expect.poll(() => call(`${url}/x`).then(({ status }) => status, String)).toBe(200)
    return { nodes, url, https: `https://127.0.0.1:${https}`, toTls: `http://127.0.0.1:${toTls}` }
  }

  test('with TLS it offers HTTP/2, tells the nodes the true address of the client, and redirects HTTP', async () => {
    const { url, https, toTls } = await start()
    for (const base of [url, https])
      expect(JSON.parse((await call(`${base}/x`)).body)).toMatchObject({ forwarded: '127.0.0.1' })
    expect(await call(`${toTls}/search?q=1`)).toMatchObject({
      status: 308,
      location: `${toTls.replace('http:', 'https:')}/search?q=1`,
    })
    const session = connect(https, { ca: certificate.cert })
    await new Promise((resolve) => session.once('connect', resolve))
    expect(session.alpnProtocol).toBe('h2')
    session.destroy()
  })

  test('a node that is not ready gets no further requests', async () => {
    const { nodes, url } = await start()
    nodes[0].drain()
    const nameOf = async () => JSON.parse((await call(`${url}/x`)).body).name as string
    await expect.poll(async () => [await nameOf(), await nameOf(), await nameOf()]).toEqual(Array(3).fill('node-2'))
    nodes[0].requests.length = 0
    for (let count = 0; count < 20; count += 1) expect(await nameOf()).toBe('node-2')
    expect(nodes[0].requests).toEqual([])
  })

  test('a request whose connection broke is not sent again', async () => {
    const { nodes, url } = await start()
    expect((await call(`${url}/break`, 'POST')).status).toBe(502)
    const broken = nodes.flatMap(({ requests }) => requests.filter((line) => line === 'POST /break'))
    expect(broken).toHaveLength(1)
  })

  test('without a ready node it responds with our problem', async () => {
    const { nodes, url } = await start()
    for (const node of nodes) node.drain()
    await expect.poll(async () => (await call(`${url}/x`)).status).toBe(503)
    expect(JSON.parse((await call(`${url}/x`)).body)).toMatchObject({ code: 'overloaded', effect: 'none' })
  })
})

describeWith('haproxy', HAPROXY, 'the TLS proxy of one machine', () => {
  test('it redirects to HTTPS, hides what clients claim about their address, and says if the service is down', async () => {
    const node = await startNode('local')
    const [http, https] = [await freePort(), await freePort()]
    const files = writeLocal(
      ['deploy/systemd/haproxy.cfg'],
      [
        ...WITH_CERTIFICATE,
        ['bind :80\n', `bind 127.0.0.1:${http}\n`],
        ['bind :443', `bind 127.0.0.1:${https}`],
        ['127.0.0.1:4000', `127.0.0.1:${node.port}`],
        ['    user haproxy\n    group haproxy\n', ''],
      ],
    )
    run(files)
    const base = `https://127.0.0.1:${https}`
    await expect.poll(() => call(`${base}/x`).then(({ status }) => status, String)).toBe(200)
    expect(JSON.parse((await call(`${base}/x`)).body)).toEqual({ name: 'local', forwarded: '127.0.0.1' })
    expect(await call(`http://127.0.0.1:${http}/a`)).toMatchObject({ status: 308 })
    await node.close()
    const down = await call(`${base}/x`)
    expect(down.status).toBe(503)
    expect(JSON.parse(down.body)).toMatchObject({ code: 'overloaded' })
  })
})

describeWith('haproxy', HAPROXY, 'the configuration of HAProxy', () => {
  test.each([
    ['Compose', [COMPOSE[0] ?? '']],
    ['Compose with TLS', COMPOSE],
    ['one machine', ['deploy/systemd/haproxy.cfg']],
  ])('HAProxy accepts the files of %s', (_, files) => {
    const nodes = [1, 2].map((index) => [`node-${index}:4000`, '127.0.0.1:4000'] as const)
    const { status, stderr } = spawnSync(HAPROXY ?? 'haproxy', [
      '-c',
      ...writeLocal(files, [...WITH_CERTIFICATE, ...nodes]),
    ])
    expect({ status, errors: String(stderr).match(/.*\[(ALERT|WARNING)\].*/g) }).toEqual({ status: 0, errors: null })
  })
})
