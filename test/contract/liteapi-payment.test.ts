import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAllotment } from '../../sandbox/server/allotment.ts'
import { serveStandIn } from '../../sandbox/server/serve-stand-in.ts'
import { liteapi } from '../../sandbox/vendors/liteapi/stand-in.ts'
import { parseVendorsCommand } from '../../src/cli/commands/vendors.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { VENDOR_KINDS } from '../../src/vendors/registry.ts'
import type { CallReport } from '../../src/vendors/transport/http-client.ts'
import { captureOutput } from '../support/cli/capture-output.ts'
import { testWorld, vendorBench } from '../support/sandbox/vendor-bench.ts'
import { sharedThreads } from '../support/vendors/shared-threads.ts'
import { createSteps } from './contract-steps.ts'

const pictureBase = 'http://127.0.0.1:9/pictures'
const server = serveStandIn(liteapi, {
  world: testWorld,
  allotment: createAllotment(),
  clock: systemClock,
  pictureBase,
})
let env: Record<string, string>
beforeAll(async () => {
  const { origin } = await server.listen()
  env = { ...liteapi.environment(origin), SERAI_LITEAPI_PAYMENT: 'WALLET' }
})
afterAll(() => server.close())

const check = () => captureOutput(() => parseVendorsCommand(['check']).work({ env, clock: systemClock }))

test('“serai vendors check” names a payment setting that prebooks do not accept', async () => {
  server.settings.walletRefusals = 0
  const accepted = await check()
  expect(accepted.out).toContain('✓ test price check  price confirmed')
  server.settings.walletRefusals = 1
  const refused = await check()
  expect(refused.out).toMatch(/✗ test price check .*ACC_CREDIT_CARD, but SERAI_LITEAPI_PAYMENT is WALLET/)
})

test('a refused setting is counted for operators, although the vendor answered with 200', async () => {
  server.settings.walletRefusals = 1
  const reports: CallReport[] = []
  const kind = VENDOR_KINDS.find(({ id }) => id === 'liteapi') ?? expect.fail('not registered')
  const bench = await vendorBench('liteapi')
  const onCall = (report: CallReport) => reports.push(report)
  const { vendor, client } = await kind.connect(env, { clock: systemClock, threads: sharedThreads, onCall })
  const steps = createSteps(() => ({ ...bench, vendor }), true)
  const offer = await steps.anOffer()
  await steps.catchFailure(vendor.priceCheck(offer.ref, steps.context()))
  expect(reports.at(-1)).toMatchObject({ vendor: 'liteapi', operation: 'price_check', fault: 'misconfigured' })
  await Promise.all([client.close(), bench.close()])
})
