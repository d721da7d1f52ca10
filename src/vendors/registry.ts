import type { VendorId } from '../domain/offer.ts'
import type { Vendor, VendorEnvironment } from './contract.ts'
import {
  createExpediaRapid,
  ExpediaRapidConfig,
  holdOff,
  objectionTo as validateRapidConfig,
} from './expedia_rapid/index.ts'
import {
  createHotelbeds,
  HotelbedsConfig,
  holdOffAfter,
  isRefusal,
  loadTls,
  readOrigins,
  objectionTo as validateHotelbedsConfig,
} from './hotelbeds/index.ts'
import {
  createLiteapi,
  holdOff as holdOffLiteapi,
  isSandboxKey,
  LiteapiConfig,
  liteapiLimits,
  liteapiOrigins,
  objectionTo as validateLiteapiConfig,
} from './liteapi/index.ts'
import { type Environment, VendorSettingsError } from './settings.ts'
import type { HttpClient } from './transport/http-client.ts'
import { ReadingThreads } from './transport/reading-threads.ts'
import { type ConnectDeps, type VendorKind, vendorKind } from './vendor-kind.ts'

/** All supported vendors. The environment selects the ones to connect. */
export const VENDOR_KINDS: readonly VendorKind[] = [
  vendorKind('expedia_rapid', ExpediaRapidConfig, {
    create: createExpediaRapid,
    origins: ({ baseUrl }) => ({ main: baseUrl }),
    isTest: ({ baseUrl }) => /^https?:\/\/test\./.test(baseUrl),
    holdOff,
    validateConfig: validateRapidConfig,
  }),
  vendorKind('hotelbeds', HotelbedsConfig, {
    create: createHotelbeds,
    origins: readOrigins,
    // Content: of the production plan.
    documentedLimits: () => ({ contentPerSecond: 4 }),
    isTest: ({ bookingOrigin }) => /\.test\./.test(bookingOrigin),
    tls: loadTls,
    holdOff: holdOffAfter,
    isRefusal,
    validateConfig: validateHotelbedsConfig,
    together: ['certificatePath', 'certificateKeyPath'],
  }),
  vendorKind('liteapi', LiteapiConfig, {
    create: createLiteapi,
    origins: liteapiOrigins,
    holdOff: holdOffLiteapi,
    documentedLimits: liteapiLimits,
    isTest: isSandboxKey,
    validateConfig: validateLiteapiConfig,
  }),
]

export type VendorSet = {
  readonly vendors: readonly Vendor[]
  /** Exposes the breaker's state for health and metrics. */
  getClient(vendorId: VendorId): HttpClient | undefined
  getEnvironment(vendorId: VendorId): VendorEnvironment
  close(): Promise<void>
}

/** Connects all configured vendors, or none if any settings are invalid. The error lists all problems. */
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
    const settingsErrors = failures.filter((failure) => failure instanceof VendorSettingsError)
    const bug = failures.find((failure) => !(failure instanceof VendorSettingsError))
    throw bug ?? new VendorSettingsError(settingsErrors.map(({ message }) => message).join('\n'))
  }
  const findConnection = (vendorId: VendorId) => connections.find(({ vendor }) => vendor.id === vendorId)
  return {
    vendors: connections.map(({ vendor }) => vendor),
    getClient: (vendorId) => findConnection(vendorId)?.client,
    getEnvironment: (vendorId) => findConnection(vendorId)?.environment ?? 'live',
    close,
  }
}
