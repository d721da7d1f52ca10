import type { VendorProperty } from '../../domain/property/property.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { unlessAborted } from '../../lib/time/deadline.ts'
import type { ContentQuery, Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'

type Collected = {
  readonly outcome: 'synced' | 'timeout' | 'error'
  /** The vendor has more than requested; it returned the nearest. */
  readonly isCut: boolean
  /** Set if the failure is ours. */
  readonly bug?: unknown
}

/** Passes on each page while the next is being fetched. The deadline applies even if an adapter ignores the signal. */
export async function collectContent(
  vendor: Vendor,
  query: Extract<ContentQuery, { kind: 'area' }>,
  context: CallContext,
  onPage: (properties: readonly VendorProperty[]) => Promise<void>,
): Promise<Collected> {
  const pages = vendor.content(query, context)[Symbol.asyncIterator]()
  let isCut = false
  try {
    for (let next = pages.next(); ; ) {
      const page = await unlessAborted(next, context.signal)
      if (page === undefined) return { outcome: 'timeout', isCut }
      if (page.done === true) return { outcome: 'synced', isCut }
      next = pages.next()
      next.catch(() => undefined)
      isCut ||= page.value.isCut === true
      await onPage(page.value.properties)
    }
  } catch (error) {
    if (!(error instanceof VendorError)) return { outcome: 'error', isCut, bug: error }
    return { outcome: error.fault === 'timeout' ? 'timeout' : 'error', isCut }
  } finally {
    pages.return?.(undefined).catch(() => undefined)
  }
}
