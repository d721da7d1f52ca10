import type { CallContext } from '../../../lib/async/call-context.ts'
import { plainText } from '../../../lib/text/clean-markup.ts'
import { DAY_MS } from '../../../lib/time/durations.ts'
import type { Caller } from '../../transport/caller.ts'
import { VendorError } from '../../vendor-error.ts'
import { asRecord, asRecords, asText, readCode } from '../../wire/read.ts'
import type { LiteapiConfig } from '../config.ts'
import { encodeCodeList } from '../encode.ts'

type Liteapi = Caller<LiteapiConfig>

const RETRY_MS = 60_000

/** Unknown ids return ''. */
export type CodeNames = { facility(id: string): string; kind(id: string): string }
export type CodeLists = ReturnType<typeof createCodeLists>

/**
 * Lists contain ids; details contain names. The names are read once a day; without them, content is less complete.
 */
export function createCodeLists(liteapi: Liteapi) {
  let facilities = new Map<string, string>()
  let kinds = new Map<string, string>()
  let refreshAt = Number.NEGATIVE_INFINITY

  async function readNames(list: 'facilities' | 'hotelTypes', id: string, name: string, context: CallContext) {
    const { body } = await liteapi.request(encodeCodeList(list), context)
    const entries = asRecords(asRecord(body)?.data).map((entry): [string, string] => [
      readCode(entry[id]),
      plainText(asText(entry[name])).slice(0, 100),
    ])
    return new Map(entries)
  }

  return {
    names: { facility: (id: string) => facilities.get(id) ?? '', kind: (id: string) => kinds.get(id) ?? '' },
    async learn(context: CallContext): Promise<void> {
      const now = liteapi.clock.now()
      if (now < refreshAt) return
      refreshAt = now + RETRY_MS
      try {
        const [first, second] = await Promise.all([
          readNames('facilities', 'facility_id', 'facility', context),
          readNames('hotelTypes', 'id', 'name', context),
        ])
        facilities = first
        kinds = second
        refreshAt = now + DAY_MS
      } catch (error) {
        if (!(error instanceof VendorError) || context.signal.aborted) throw error
      }
    },
  }
}
