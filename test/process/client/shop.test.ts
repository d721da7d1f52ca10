import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { devServer } from '../../support/client/dev-server.ts'
import { type InstalledClient, installClient } from '../../support/client/installed-client.ts'
import { freePort } from '../../support/servers/postgres.ts'
import { ROOT } from '../../support/servers/server-process.ts'

const TUTORIAL = readFileSync(join(ROOT, 'docs/shop.md'), 'utf8')
const readBlocks = (language: string): string =>
  [...TUTORIAL.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))]
    .map(([, code]) => code)
    .join('\n')

let server: Awaited<ReturnType<typeof devServer>>
let client: InstalledClient
let home: string
let shop: ChildProcess
let origin: string
let output = ''
beforeAll(async () => {
  ;[server, client] = await Promise.all([devServer(), installClient()])
  home = mkdtempSync(join(tmpdir(), 'serai-shop-'))
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  writeFileSync(join(client.folder, 'shop.ts'), readBlocks('ts'))
  // The documented commands, with the addresses of this test.
  const commands = readBlocks('sh').replaceAll('npx ', '').replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
  const env = {
    PATH: [join(client.folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(':'),
    HOME: home,
    SERAI_URL: server.url,
    PORT: String(port),
  }
  shop = spawn('bash', ['-c', `set -e\n${commands}`], { cwd: client.folder, env, detached: true })
  const note = (chunk: Buffer) => {
    output += chunk
  }
  shop.stdout?.on('data', note)
  shop.stderr?.on('data', note)
  await vi.waitUntil(() => output.includes('Ready') && fetch(origin).catch(() => false), { timeout: 30_000 })
})
afterAll(async () => {
  // The shop and `listen` run in one process group.
  if (shop?.pid !== undefined) process.kill(-shop.pid)
  await server?.close()
  client?.close()
  rmSync(home, { recursive: true, force: true })
})

const read = async (path: string, form?: Record<string, string>): Promise<string> => {
  const init = form && { method: 'POST', body: new URLSearchParams(form) }
  return (await fetch(`${origin}${path}`, init)).text()
}
const find = (html: string, pattern: RegExp): string => {
  const [, found] = pattern.exec(html) ?? []
  if (found === undefined) throw new Error(`${pattern} is not in ${html}\n${output}`)
  return found.replaceAll('&#38;', '&')
}

test('the shop of the tutorial searches, checks and books once, and shows the status from the webhook', async () => {
  const place = find(await read('/'), /name="place" value="(\w+)"/)
  const results = await read(`/search?place=${place}`)
  const rooms = await read(find(results, /href="(\/rooms[^"]+)"/))
  const offers = [...rooms.matchAll(/name="room" value="([^"]+)">[^<]*, ([\d.]+ EUR)</g)]
  // Rates of one room have the same `room_id`.
  for (const [, id = '', price] of offers.slice(0, 4)) expect(await read('/check', { room: id })).toContain(price)
  const room = find(rooms, /name="room" value="([^"]+)"/)
  const checked = await read('/check', { room })
  expect(checked).toContain('cancellation: ')
  const order = { room, given: 'Ana', family: 'Costa' }
  const booked = find(await read('/book', order), /href="(\/booking[^"]+)"/)
  expect(find(await read('/book', order), /href="(\/booking[^"]+)"/)).toBe(booked)
  await vi.waitUntil(async () => (await read(booked)).includes('confirmed'), { timeout: 15_000, interval: 200 })
  expect(await server.ledger()).toHaveLength(1)
})

test('the shop tells a visitor what is wrong', async () => {
  expect(await read('/search?place=qqqqqq')).toContain('No such place')
  expect(await read('/check', { room: 'gone' })).toContain('Sold out')
  expect((await fetch(`${origin}/nothing`)).status).toBe(404)
  const forged = await fetch(`${origin}/hook`, { method: 'POST', body: '{}' })
  expect(forged.status).toBe(400)
})
