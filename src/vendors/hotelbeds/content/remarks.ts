import type { CallContext } from '../../../lib/async/call-context.ts'
import { plainLines } from '../../../lib/text/clean-markup.ts'
import type { RateRemark, RemarksPage, RemarksQuery } from '../../contract.ts'
import type { Caller } from '../../transport/caller.ts'
import { asInteger, asList, asRecord, asRecords, asText, readCode, type Wire } from '../../wire/read.ts'
import { readPlainDate } from '../../wire/read-time.ts'
import type { HotelbedsConfig } from '../config.ts'
import { encodeCodeList, encodeCommentDetails } from '../encode.ts'
import { readContentText } from '../wire.ts'

type Hotelbeds = Caller<HotelbedsConfig>
type Pages = AsyncIterable<RemarksPage>

const ENTRIES_PER_CALL = 1000

/** Comments that rates refer to by `rateCommentsId`: all of them, or those of some rates on one day. */
export const readRemarks = (hotelbeds: Hotelbeds, query: RemarksQuery, context: CallContext): Pages =>
  query.kind === 'feed' ? byFeed(hotelbeds, query.cursor, context) : byRefs(hotelbeds, query, context)

async function* byFeed(hotelbeds: Hotelbeds, cursor: string | undefined, context: CallContext): Pages {
  for (let from = Math.max(1, asInteger(cursor) ?? 1); ; from += ENTRIES_PER_CALL) {
    const call = encodeCodeList('types/ratecomments', from, from + ENTRIES_PER_CALL - 1)
    const { body } = await hotelbeds.request(call, context)
    const entries = asRecords(asRecord(body)?.rateComments)
    const total = asInteger(asRecord(body)?.total) ?? 0
    const isLast = entries.length === 0 || total < from + ENTRIES_PER_CALL
    yield { remarks: entries.flatMap(decodeRemarks), cursor: isLast ? undefined : String(from + ENTRIES_PER_CALL) }
    if (isLast) return
  }
}

/** The vendor requires one call for each reference. */
async function* byRefs(
  hotelbeds: Hotelbeds,
  { refs, on }: Extract<RemarksQuery, { kind: 'refs' }>,
  context: CallContext,
): Pages {
  if (!hotelbeds.config.commentLookups) return
  for (const ref of refs) {
    const { body } = await hotelbeds.request(encodeCommentDetails(ref, on), context)
    const comments = asRecords(asRecord(body)?.rateComments)
    yield { remarks: comments.flatMap((comment) => decodeRemark(comment, ref)), cursor: undefined }
  }
}

/** Exported for tests with recorded bodies. */
export function decodeRemarks(entry: Wire): RateRemark[] {
  const contract = `${readCode(entry.incoming)}|${readCode(entry.code)}`
  return asRecords(entry.commentsByRates).flatMap(({ rateCodes, comments }) =>
    asList(rateCodes).flatMap((rate) =>
      asRecords(comments).flatMap((comment) => decodeRemark(comment, `${contract}|${readCode(rate)}`)),
    ),
  )
}

function decodeRemark(comment: Wire, ref: string): RateRemark[] {
  const text = plainLines(asText(comment.description) || readContentText(comment.description))
  const [from, until] = [readPlainDate(comment.dateStart), readPlainDate(comment.dateEnd)]
  if (text === '') return []
  return [{ ref, text, ...(from !== undefined && { from }), ...(until !== undefined && { until }) }]
}
