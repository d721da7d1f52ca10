import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderPicture } from '../../sandbox/pictures/picture-path.ts'
import { STAND_IN_IDS } from '../../sandbox/stand-ins.ts'
import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import { parseVendorsCommand } from '../../src/cli/commands/vendors.ts'
import { readConfig } from '../../src/config.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { addDays, dateIn } from '../../src/lib/time/plain-date.ts'
import { serve } from '../../src/process/serve.ts'
import { spawnSandbox } from '../../src/process/spawn-sandbox.ts'
import { createVendors, type VendorSet } from '../../src/vendors/registry.ts'
import { VendorError } from '../../src/vendors/vendor-error.ts'
import { testLocations } from '../support/app/app.ts'
import { captureOutput } from '../support/cli/capture-output.ts'
import { aPlace } from '../support/sandbox/places.ts'
import { sharedThreads } from '../support/vendors/shared-threads.ts'

const PICTURES = 'http://127.0.0.1:4000/sandbox/pictures'
const place = aPlace('Nice')
const context = (ms = 20_000) => ({
  signal: AbortSignal.timeout(ms),
  requestId: 'sandbox-test',
  customerIp: '192.0.2.1',
})
const checkIn = addDays(dateIn('UTC', Date.now()), 40)
const stay = { checkIn, checkOut: addDays(checkIn, 2), occupancies: [{ adults: 2, childrenAges: [] }] }
const market = { currency: 'EUR', language: 'en-GB', countryCode: 'FR' }
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('the sandbox as a separate process', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-sandbox-'))
  let sandbox: Sandbox
  let set: VendorSet
  let startedInMs = 0
  beforeAll(async () => {
    const started = performance.now()
    sandbox = await spawnSandbox({ dataDir, pictureBase: PICTURES })
    startedInMs = performance.now() - started
    set = await createVendors(sandbox.environment, { clock: systemClock, threads: sharedThreads })
  })
  afterAll(async () => {
    await set.close()
    await sandbox.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function aRoom(vendorId: string) {
    const vendor = set.vendors.find(({ id }) => id === vendorId)
    if (vendor === undefined) throw new Error(`no vendor ${vendorId}`)
    const circle = { center: place.point, radiusKm: 8 }
    for await (const { properties } of vendor.content({ kind: 'area', circle, limit: 20 }, context())) {
      const vendorPropertyIds = properties.map((property) => property.vendorPropertyId)
      const { offers } = await vendor.availability({ vendorPropertyIds, stay, market }, context())
      const [first] = offers
      if (first === undefined) continue
      const rooms = await vendor.rooms({ ...first, stay, market, timezone: place.timezone }, context())
      const check = rooms[0] && (await vendor.priceCheck(rooms[0].ref, context()))
      if (check?.status === 'available') return { vendor, properties, check }
    }
    throw new Error(`${vendorId} has nothing for sale`)
  }
  const book = async (vendorId: string, reference: string) => {
    const { vendor, check } = await aRoom(vendorId)
    const order = {
      ref: check.ref,
      reference,
      guests: [{ givenName: 'Ada', familyName: 'Guest' }],
      contact: { email: 'ada@example.com', phone: '+33612345678' },
      specialRequests: '',
      stay,
      price: check.price.total,
    }
    return vendor.book(order, context())
  }

  test('the environment of the sandbox connects every vendor of the registry', async () => {
    expect(set.vendors.map(({ id }) => id)).toEqual(STAND_IN_IDS)
    for (const vendor of set.vendors) {
      expect((await vendor.probe(context())).filter(({ ok }) => !ok)).toEqual([])
    }
    // Under a second on an idle machine; the limit allows for a busy one.
    expect(startedInMs).toBeLessThan(8_000)
  })

  test.each(STAND_IN_IDS)('the stand-in of %s sells a room in a real town and records it in its ledger', async (id) => {
    const reference = `SANDBOX0${id.replace('_', '').toUpperCase()}000000000001`.slice(0, 20)
    expect(await book(id, reference)).toMatchObject({ state: 'confirmed' })
    const lines = await sandbox.control[id].ledger()
    expect(lines.filter((line) => line.ourReference === reference)).toMatchObject([{ status: 'confirmed', count: 1 }])
    expect(readdirSync(join(dataDir, 'sandbox'))).toContain(`${id}.jsonl`)
  })

  test('every picture address of the sandbox can be rendered', async () => {
    for (const id of STAND_IN_IDS) {
      const { properties } = await aRoom(id)
      for (const image of properties.flatMap(({ images }) => images)) {
        for (const address of [image.hi, image.med, image.lo]) {
          expect(address.startsWith(`${PICTURES}/`)).toBe(true)
          expect(renderPicture(address.slice(PICTURES.length))?.svg).toMatch(/^<svg .*<\/svg>$/s)
        }
      }
    }
  })

  test('a development server with the environment of a sandbox serves its pictures', async () => {
    const data = mkdtempSync(join(tmpdir(), 'serai-by-hand-'))
    const config = readConfig({ ...sandbox.environment, PORT: '0', SERAI_DATA_DIR: data, SERAI_CONTENT_JOB: 'off' })
    const running = await serve(config, { locations: testLocations(), readingThreads: sharedThreads })
    try {
      expect((await fetch(`${running.url}/sandbox/pictures/1/pool.svg`)).status).toBe(200)
    } finally {
      await running.stop()
      rmSync(data, { recursive: true, force: true })
    }
  })

  test('`vendors check` passes on the sandbox and fails on a wrong secret', async () => {
    const report = (env: Record<string, string>) =>
      captureOutput(() => parseVendorsCommand(['check']).work({ env, clock: systemClock }))
    const healthy = await report({ ...sandbox.environment })
    expect(healthy.out).toMatch(/^expedia_rapid\n.*✓ credentials {2}.*hotelbeds\n.*liteapi\n.*All checks passed\.$/s)
    expect(healthy.out.match(/✓ test search +\d+ have a room for two/g)).toHaveLength(STAND_IN_IDS.length)
    expect(healthy.code).toBe(0)
    const wrong = await report({ ...sandbox.environment, SERAI_HOTELBEDS_SECRET: 'not-the-secret' })
    expect(wrong.out).toMatch(/hotelbeds\n {2}✗ credentials .*checks? failed\.$/s)
    expect(wrong.out).not.toContain('not-the-secret')
    expect(wrong.code).toBe(1)
  })

  test('a fault set from another process takes effect and can be listed and cleared', async () => {
    const control = sandbox.control.hotelbeds
    await control.addFaults({ kind: 'error_after', operation: 'book', times: 1 })
    expect(await control.faults()).toEqual([{ kind: 'error_after', operation: 'book', times: 1 }])
    const failure = await book('hotelbeds', 'SANDBOX0FAULT0000001').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(VendorError)
    expect(failure).toMatchObject({ effect: 'unknown' })
    const lines = await control.ledger()
    expect(lines.filter((line) => line.ourReference === 'SANDBOX0FAULT0000001')).toHaveLength(1)
    await control.addFaults({ kind: 'hang', operation: '*' })
    await control.clearFaults()
    expect(await control.faults()).toEqual([])
  })

  test('the ledger of the sandbox survives a restart', async () => {
    const before = await sandbox.control.expedia_rapid.ledger()
    expect(before.length).toBeGreaterThan(0)
    const again = await spawnSandbox({ dataDir, pictureBase: PICTURES })
    expect(await again.control.expedia_rapid.ledger()).toEqual(before)
    await again.close()
    await expect(again.control.expedia_rapid.ledger()).rejects.toThrow()
  })
})

test('the sandbox ends with the process that started it, even if that is killed', async () => {
  const spawnFile = JSON.stringify(join(import.meta.dirname, '../../src/process/spawn-sandbox.ts'))
  const options = JSON.stringify({ pictureBase: PICTURES })
  const program = `
    const { spawnSandbox } = await import(${spawnFile})
    console.log((await spawnSandbox(${options})).pid)
    setInterval(() => undefined, 1000)
  `
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  expect(isAlive(pid)).toBe(true)
  // Ctrl-C reaches the whole group, but the stand-ins end only after the server.
  process.kill(pid, 'SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(isAlive(pid)).toBe(true)

  parent.kill('SIGKILL')
  await once(parent, 'exit')
  for (let tries = 0; tries < 50 && isAlive(pid); tries += 1) await new Promise((resolve) => setTimeout(resolve, 100))
  expect(isAlive(pid)).toBe(false)
})

test('an unknown setting of the sandbox is reported', async () => {
  await expect(spawnSandbox({ pictureBase: PICTURES, settings: { nowhere: 1 } })).rejects.toThrow(
    /did not start: --settings must be a JSON object/,
  )
})
