import type { VendorProperty } from '../../domain/property/property.ts'
import {
  CATALOGUE_LANGUAGE,
  extractTranslations,
  type PropertyTexts,
  primaryLanguage,
} from '../../domain/property/property-texts.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { startDeadline, unlessAborted } from '../../lib/time/deadline.ts'
import type { Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import type { CatalogueStore } from '../store/catalogue.ts'
import type { PropertyTextsStore } from '../store/property-texts.ts'
import { boundContent } from '../sync/bound-content.ts'
import { packContent, parseContent, unpackTexts } from './stored-content.ts'

export type PropertyTextsReader = ReturnType<typeof createPropertyTexts>

type TextSettings = {
  /** Languages besides English, as primary tags. */
  readonly languages: readonly string[]
  /** True if a property page may trigger requests to vendors. */
  readonly live: boolean
  readonly roomsPatienceMs: number
  /** Texts expire after this time. */
  readonly fullEveryMs: number
  /** Interval between runs over all properties. */
  readonly changesEveryMs: number
}

type Deps = {
  readonly store: Pick<CatalogueStore, 'content'>
  readonly textsStore: PropertyTextsStore
  readonly vendors: readonly Vendor[]
  readonly clock: Clock
  readonly settings: TextSettings
  onBug(error: unknown, where: string): void
}

const READ_TIMEOUT_MS = 15_000
const BATCH_SIZE = 100

const hasLanguage = ({ capabilities }: Vendor, language: string) =>
  capabilities.languages?.content.has(language) ?? false

/** Vendors' property texts in other languages. Read when a property is opened if `live`, otherwise by the content job. */
export function createPropertyTexts(deps: Deps) {
  const { textsStore, vendors, clock, settings } = deps
  const requests = createRequests(deps)
  const isFresh = ({ read_at }: { read_at: number }) => clock.now() - read_at < settings.fullEveryMs

  async function readVendor(content: VendorProperty, language: string, signal: AbortSignal) {
    const vendor = vendors.find(({ id }) => id === content.vendorId)
    if (vendor === undefined || !hasLanguage(vendor, language)) return undefined
    const [row] = await textsStore.read(vendor.id, [content.vendorPropertyId], language)
    const stored = row?.texts ? unpackTexts(row.texts) : undefined
    if ((row !== undefined && isFresh(row)) || !settings.live) return stored
    return (await unlessAborted(requests.request(vendor, content, language), signal)) ?? stored
  }

  return {
    /** Texts by vendor; empty for English and for unsupported languages. */
    async read(
      contents: readonly VendorProperty[],
      tag: string,
      caller?: Pick<CallContext, 'signal'>,
    ): Promise<ReadonlyMap<string, PropertyTexts>> {
      const language = primaryLanguage(tag)
      if (language === CATALOGUE_LANGUAGE || !settings.languages.includes(language)) return new Map()
      using deadline = startDeadline(settings.roomsPatienceMs, caller?.signal)
      const read = await Promise.all(
        contents.map(async (content) => {
          const texts = await readVendor(content, language, deadline.signal)
          return texts === undefined ? [] : [[content.vendorId, texts] as const]
        }),
      )
      return new Map(read.flat())
    },

    /** Continues where the last call stopped; true if there is more to do. Does nothing if `live`. */
    async keep(vendor: Vendor, context: CallContext, mayGoOn: () => Promise<boolean>): Promise<boolean> {
      if (settings.live) return false
      for (const language of settings.languages) {
        if (hasLanguage(vendor, language) && (await keepLanguage(deps, vendor, language, context, mayGoOn))) return true
      }
      return false
    },

    stop: requests.stop,
  }
}

/** Reads one property at a time; late results are stored for the next request. */
function createRequests(deps: Deps) {
  const stopped = new AbortController()
  const running = new Map<string, Promise<PropertyTexts | undefined>>()

  function request(vendor: Vendor, content: VendorProperty, language: string): Promise<PropertyTexts | undefined> {
    const key = `${vendor.id} ${content.vendorPropertyId} ${language}`
    const pending = running.get(key)
    if (pending !== undefined || stopped.signal.aborted) return pending ?? Promise.resolve(undefined)
    const work = (async () => {
      using deadline = startDeadline(READ_TIMEOUT_MS, stopped.signal)
      const context = { signal: deadline.signal, requestId: `texts-${vendor.id}` }
      const read = await readTexts(deps, vendor, [content], language, context)
      return read.get(content.vendorPropertyId)
    })()
      .catch((error: unknown) => {
        // The next visitor of the property triggers a retry.
        if (!(error instanceof VendorError)) deps.onBug(error, `texts of ${vendor.id}`)
        return undefined
      })
      .finally(() => running.delete(key))
    running.set(key, work)
    return work
  }

  return {
    request,
    async stop(): Promise<void> {
      stopped.abort()
      await Promise.allSettled(running.values())
    },
  }
}

/** Reads and stores the vendor's texts; a property without texts is stored as such. */
async function readTexts(
  { textsStore, clock }: Deps,
  vendor: Vendor,
  contents: readonly VendorProperty[],
  language: string,
  context: CallContext,
): Promise<Map<string, PropertyTexts>> {
  const english = new Map(contents.map((content) => [content.vendorPropertyId, content]))
  const found = new Map<string, PropertyTexts>()
  for await (const { properties } of vendor.content({ kind: 'ids', ids: [...english.keys()], language }, context)) {
    for (const raw of properties) {
      const translated = boundContent(raw)
      const same = english.get(raw.vendorPropertyId)
      if (translated !== undefined && same !== undefined)
        found.set(raw.vendorPropertyId, extractTranslations(same, translated, language))
    }
  }
  const rows = [...english.values()]
    // Skips properties with unknown rooms, whose texts cannot be distinguished from English.
    .filter(({ roomsUnread }) => roomsUnread !== true)
    .map(({ vendorPropertyId }) => {
      const texts = found.get(vendorPropertyId)
      return {
        vendor_id: vendor.id,
        vendor_property_id: vendorPropertyId,
        language,
        read_at: clock.now(),
        texts: texts === undefined ? null : packContent(JSON.stringify(texts)),
      }
    })
  await textsStore.put(rows)
  return found
}

/** Reads missing or expired texts of all properties of a vendor. True if it had to stop early. */
async function keepLanguage(
  deps: Deps,
  vendor: Vendor,
  language: string,
  context: CallContext,
  mayGoOn: () => Promise<boolean>,
): Promise<boolean> {
  const { store, textsStore, clock, settings } = deps
  const job = await textsStore.job(vendor.id, language)
  const finishedAt = job?.finished_at ?? null
  if (finishedAt !== null && clock.now() - finishedAt < settings.changesEveryMs) return false
  const key = { vendor_id: vendor.id, language }
  for (let after = job?.after_id ?? ''; ; ) {
    const ids = await textsStore.idsAfter(vendor.id, after, BATCH_SIZE)
    const last = ids.at(-1)
    if (last === undefined) {
      await textsStore.putJob({ ...key, after_id: '', finished_at: clock.now() })
      return false
    }
    const rows = await textsStore.read(vendor.id, ids, language)
    const fresh = new Set(
      rows.filter((row) => clock.now() - row.read_at < settings.fullEveryMs).map((row) => row.vendor_property_id),
    )
    const contents = await Promise.all(
      ids
        .filter((id) => !fresh.has(id))
        .map(async (vendorPropertyId) => {
          const row = await store.content({ vendorId: vendor.id, vendorPropertyId })
          return row === undefined ? [] : [parseContent(row)]
        }),
    )
    if (contents.length > 0) await readTexts(deps, vendor, contents.flat(), language, context)
    after = last
    await textsStore.putJob({ ...key, after_id: after, finished_at: finishedAt })
    if (!(await mayGoOn())) return true
  }
}
