import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO, devServer } from '../../support/client/dev-server.ts'
import { type InstalledClient, installClient } from '../../support/client/installed-client.ts'
import { findNode22 } from '../../support/client/node-22.ts'
import { ROOT } from '../../support/servers/server-process.ts'

const run = promisify(execFile)

let server: Awaited<ReturnType<typeof devServer>>
let client: InstalledClient
beforeAll(async () => {
  ;[server, client] = await Promise.all([devServer(), installClient()])
  writeFileSync(join(client.folder, 'journey.ts'), JOURNEY)
})
afterAll(async () => {
  client?.close()
  await server?.close()
})

/** The example of the README; compiled in strict mode and run. */
const JOURNEY = `import { createClient, SeraiError, signInWith, type Booking } from '@serai/client'

const [baseUrl = '', email = '', password = '', reference = ''] = process.argv.slice(2)
const serai = createClient({ baseUrl, ...signInWith({ email, password }, { baseUrl }) })
const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
const [place] = (await serai.locations.search({ starts_with: 'Zermatt', limit: 1 })).data
if (place === undefined) throw new Error('no such place')
const request = { destination_id: place.id, check_in: day(40), check_out: day(42), occupancies: [{ adults: 2 }], currency: 'EUR', timeout_ms: 15_000 }
let best: { search_id: string; property_id: string } | undefined
for await (const event of serai.search.stream(request)) {
  if (event.type !== 'done') continue
  const [first] = event.search.availability
  if (first !== undefined) best = { search_id: event.search.search_id, property_id: first.property_id }
}
if (best === undefined) throw new Error('nothing found')
const { available_rooms: [room] } = await serai.search.detail(best)
if (room === undefined) throw new Error('no room')
const checked = await serai.booking.checkRoom(room)
const booking: Booking = await serai.booking.create({
  ...checked.room?.booking_info,
  terms_digest: checked.terms_digest,
  guests: [{ given_name: 'Ana', family_name: 'Costa' }],
  client_reference: reference,
})
const outcome = await serai.booking.waitForOutcome({ booking_id: booking.booking_id })
const error = await serai.booking.show({ booking_id: 'bkg_0' }).catch((failure: unknown) => failure)
if (!(error instanceof SeraiError)) throw error
// @ts-expect-error an argument that does not exist
if (false) await serai.booking.show({ bookingId: '' })
// @ts-expect-error a status that does not exist
if (false) booking.status === 'booked'
const all: string[] = []
for await (const { client_reference } of serai.booking.list.all()) all.push(client_reference ?? '')
console.log(JSON.stringify([outcome.status, error.status, error.code, all.includes(reference)]))
`

const runJourney = async (node: string, reference: string) => {
  const before = (await server.ledger()).length
  const args = ['out/journey.js', server.url, DEMO.email, DEMO.password, reference]
  const { stdout } = await run(node, args, { cwd: client.folder })
  expect(JSON.parse(stdout)).toEqual(['confirmed', 404, 'booking_not_found', true])
  return (await server.ledger()).length - before
}

test('the client compiles in strict mode in another project with library checks on', async () => {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    outDir: 'out',
  }
  writeFileSync(join(client.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['journey.ts'] }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const errors = await run(process.execPath, [tsc, '--singleThreaded', '-p', '.'], { cwd: client.folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  )
  expect(errors).toBe('')
})

test('the README example makes exactly one booking on this Node', async () => {
  expect(await runJourney(process.execPath, 'on-this-node')).toBe(1)
})

test('the README example makes exactly one booking on Node 22', async ({ skip }) => {
  const found = findNode22()
  if ('missing' in found) {
    if (process.env.CI === 'true') throw new Error(found.missing)
    console.warn(`\nSKIPPED: the client under Node 22. ${found.missing}`)
    return skip(found.missing)
  }
  expect(await runJourney(found.path, 'on-node-22')).toBe(1)
})

test('the package contains only its build, readme and licence, and depends on nothing', () => {
  const folder = join(client.folder, 'node_modules/@serai/client')
  expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  const { dependencies, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  // Publishing and these tests use the same build.
  expect(scripts.prepack).toBe('node build.mjs')
  expect(dependencies).toBeUndefined()
  const built = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
  const sources = built
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(folder, 'dist', file), 'utf8'))
  expect(built.filter((file) => /\.ts$/.test(file) && !file.endsWith('.d.ts'))).toEqual([])
  expect(sources.length).toBeGreaterThan(10)
  // The library also runs in browsers.
  const library = built.filter((file) => file.endsWith('.js') && !file.startsWith('cli/'))
  for (const file of library)
    expect(readFileSync(join(folder, 'dist', file), 'utf8'), file).not.toMatch(/node:|process\./)
})
