import type { VendorProperty } from '../domain/property.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { ContentQuery, Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'

export type Collected = {
  readonly properties: readonly VendorProperty[]
  readonly outcome: 'whole' | 'timeout' | 'error' | 'internal'
  /** Set where the failure is ours. */
  readonly bug?: unknown
}

/**
 * Reads pages until the last one, the limit or the deadline. What came before a failure is kept. A vendor that does
 * not heed the signal is left behind, so the deadline holds whatever the adapter does.
 */
export async function collectContent(
  vendor: Vendor,
  query: Extract<ContentQuery, { kind: 'area' }>,
  context: CallContext,
): Promise<Collected> {
  const properties: VendorProperty[] = []
  const late = Promise.withResolvers<typeof LATE>()
  const onAbort = () => late.resolve(LATE)
  context.signal.addEventListener('abort', onAbort, { once: true })
  if (context.signal.aborted) onAbort()
  const pages = vendor.content(query, context)[Symbol.asyncIterator]()
  try {
    while (properties.length < query.limit) {
      const next = pages.next()
      const step = await Promise.race([next, late.promise])
      if (step === LATE) {
        leave(next)
        return { properties, outcome: 'timeout' }
      }
      if (step.done === true) break
      for (const property of step.value.properties) properties.push(property)
    }
    return { properties, outcome: 'whole' }
  } catch (error) {
    if (!(error instanceof VendorError)) return { properties, outcome: 'internal', bug: error }
    return { properties, outcome: error.fault === 'timeout' ? 'timeout' : 'error' }
  } finally {
    context.signal.removeEventListener('abort', onAbort)
    leave(pages.return?.(undefined))
  }
}

const LATE = Symbol('late')

/** Nobody waits for this answer any more; its failure must not end the process. */
function leave(promise: Promise<unknown> | undefined): void {
  promise?.catch(() => undefined)
}
