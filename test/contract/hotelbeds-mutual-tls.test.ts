import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REVIEW } from '../../certify/vendors/hotelbeds.ts'
import { type MutualTls, openMutualTls } from '../../sandbox/server/mutual-tls.ts'
import { createSelfSigned } from '../../sandbox/server/self-signed.ts'
import { vendorBench } from '../support/sandbox/vendor-bench.ts'
import { createSteps, type VendorBench } from './contract-steps.ts'

const folder = mkdtempSync(join(tmpdir(), 'serai-mutual-tls-'))
const opened: { close(): Promise<void> }[] = []
let host: MutualTls

/** An account with a certificate, at the stand-in behind mutual TLS. */
async function bench(certificate: { readonly cert: string; readonly key: string }): Promise<VendorBench> {
  const settings: Record<string, string> = {}
  const files = {
    CERTIFICATE: certificate.cert,
    CERTIFICATE_KEY: certificate.key,
    CERTIFICATE_AUTHORITY: host.authority,
  }
  for (const [name, pem] of Object.entries(files)) {
    settings[`SERAI_HOTELBEDS_${name}_PATH`] = join(folder, name)
    writeFileSync(join(folder, name), pem)
  }
  const made = await vendorBench('hotelbeds', { ...settings, SERAI_HOTELBEDS_BOOKING_ORIGIN: host.origin })
  opened.push(made)
  return made
}

beforeAll(async () => {
  const standIn = await vendorBench('hotelbeds')
  const needsCertificate = REVIEW.needsCertificate ?? expect.fail('the review names no such calls')
  host = await openMutualTls(standIn.origin, needsCertificate)
  opened.push(standIn, host)
})
afterAll(async () => {
  for (const each of opened.toReversed()) await each.close()
  rmSync(folder, { recursive: true })
})

test('with the client certificate rooms are booked at a host that requires mutual TLS', async () => {
  const mine = await bench(host.client)
  const steps = createSteps(() => mine, true)
  const order = await steps.anOrder('HOTELBEDS0MUTUAL0001')
  expect(await mine.vendor.book(order, steps.context())).toMatchObject({ state: 'confirmed' })
  expect(await steps.find(order.reference)).toMatchObject({ state: 'confirmed' })
})

test('with another certificate nothing is booked, and the failure is one of credentials', async () => {
  const mine = await bench(createSelfSigned('somebody else'))
  const steps = createSteps(() => mine, true)
  const order = await steps.anOrder('HOTELBEDS0MUTUAL0002')
  expect(await steps.catchFailure(mine.vendor.book(order, steps.context()))).toMatchObject({
    fault: 'credentials',
    effect: 'none',
  })
})
