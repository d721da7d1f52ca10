import type { VendorId } from '../domain/offer.ts'
import type { Vendor, VendorEnvironment } from './contract.ts'
import {
  createExpediaRapid,
  ExpediaRapidConfig,
  holdOff,
  objectionTo as objectionToRapid,
} from './expedia_rapid/index.ts'
import {
  createHotelbeds,
  HotelbedsConfig,
  holdOffAfter,
  isRefusal,
  objectionTo as objectionToHotelbeds,
  originsOf,
  tlsOf,
} from './hotelbeds/index.ts'
import {
  createLiteapi,
  holdOff as holdOffLiteapi,
  isSandboxKey,
  LiteapiConfig,
  liteapiOrigins,
  objectionTo as objectionToLiteapi,
} from './liteapi/index.ts'
import { type Environment, VendorSettingsError } from './settings.ts'
import type { HttpClient } from './transport/http-client.ts'
import { ReadingThreads } from './transport/reading-threads.ts'
import { type ConnectDeps, type VendorKind, vendorKind } from './vendor-kind.ts'

/** Every vendor we can talk to, one entry each. Which of them we do talk to is said by the environment. */
export const VENDOR_KINDS: readonly VendorKind[] = [
  vendorKind('expedia_rapid', ExpediaRapidConfig, {
    create: createExpediaRapid,
    origins: ({ baseUrl }) => ({ main: baseUrl }),
    isTest: ({ baseUrl }) => /^https?:\/\/test\./.test(baseUrl),
    holdOff,
    objectionTo: objectionToRapid,
  }),
  vendorKind('hotelbeds', HotelbedsConfig, {
    create: createHotelbeds,
    origins: originsOf,
    isTest: ({ bookingOrigin }) => /\.test\./.test(bookingOrigin),
    tls: tlsOf,
    holdOff: holdOffAfter,
    isRefusal,
    objectionTo: objectionToHotelbeds,
    together: ['certificatePath', 'certificateKeyPath'],
  }),
  vendorKind('liteapi', LiteapiConfig, {
    create: createLiteapi,
    origins: liteapiOrigins,
    holdOff: holdOffLiteapi,
    isTest: isSandboxKey,
    objectionTo: objectionToLiteapi,
  }),
]

/** The vendors of this process. */
export type VendorSet = {
  readonly vendors: readonly Vendor[]
  /** For the breaker's state in health and metrics. */
  clientOf(vendorId: VendorId): HttpClient | undefined
  environmentOf(vendorId: VendorId): VendorEnvironment
  close(): Promise<void>
}

/** Connects every vendor that the environment names. If the settings of any are wrong, none is: all errors at once. */
export async function createVendors(env: Environment, deps: ConnectDeps): Promise<VendorSet> {
  const kinds = VENDOR_KINDS.filter((kind) => kind.isConfigured(env))
  const ownThreads = deps.threads === undefined ? new ReadingThreads() : undefined
  const threads = deps.threads ?? ownThreads
  const outcomes = await Promise.allSettled(kinds.map((kind) => kind.connect(env, { ...deps, threads })))
  const connections = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const close = async () => {
    await Promise.all([ownThreads?.close(), ...connections.map(({ client }) => client.close())])
  }
  const failures = outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (failures.length > 0) {
    await close()
    const wrong = failures.filter((failure) => failure instanceof VendorSettingsError)
    const bug = failures.find((failure) => !(failure instanceof VendorSettingsError))
    throw bug ?? new VendorSettingsError(wrong.map(({ message }) => message).join('\n'))
  }
  const connectionOf = (vendorId: VendorId) => connections.find(({ vendor }) => vendor.id === vendorId)
  return {
    vendors: connections.map(({ vendor }) => vendor),
    clientOf: (vendorId) => connectionOf(vendorId)?.client,
    environmentOf: (vendorId) => connectionOf(vendorId)?.environment ?? 'live',
    close,
  }
}
