import { Type } from 'typebox'
import { PROBLEM_ID } from '../../http/schemas/problem.ts'
import { AccommodationSummary, SearchDone, VendorReportSchema } from './search.ts'

const Found = Type.Object({ availability: Type.Array(AccommodationSummary) }, { title: 'FoundProperties' })

/** One server-sent event, once its `data` has been parsed. */
const SearchEvent = Type.Union([
  Type.Object(
    { event: Type.Literal('vendor'), data: VendorReportSchema },
    { title: 'VendorSearchEvent', description: 'A vendor answered or failed.' },
  ),
  Type.Object(
    { event: Type.Literal('properties'), data: Found },
    { title: 'PropertiesSearchEvent', description: 'Properties that were found or changed.' },
  ),
  Type.Object(
    { event: Type.Literal('done'), data: SearchDone },
    {
      title: 'DoneSearchEvent',
      description: 'The blocking response with `order` instead of `availability`; the stream ends.',
    },
  ),
  Type.Object(
    { event: Type.Literal('problem'), data: Type.Ref(PROBLEM_ID) },
    { title: 'ProblemSearchEvent', description: 'The search failed; the stream ends.' },
  ),
])

/** `contentSchema` describes the events in the text. */
export const SearchStream = Type.String({
  contentMediaType: 'text/event-stream',
  contentSchema: Type.Array(SearchEvent),
})
