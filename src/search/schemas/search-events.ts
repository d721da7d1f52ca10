import { Type } from 'typebox'
import { PROBLEM_ID } from '../../http/schemas/problem.ts'
import { AccommodationSummary, SearchDone, VendorReportSchema } from './search.ts'

const Found = Type.Object({ availability: Type.Array(AccommodationSummary) }, { title: 'FoundProperties' })

/** One server-sent event, once its `data` has been parsed. */
const SearchEvent = Type.Union([
  Type.Object(
    { event: Type.Literal('vendor'), data: VendorReportSchema },
    { title: 'VendorSearchEvent', description: 'A vendor has answered, or failed.' },
  ),
  Type.Object(
    { event: Type.Literal('properties'), data: Found },
    { title: 'PropertiesSearchEvent', description: 'Properties that were found, or that changed.' },
  ),
  Type.Object(
    { event: Type.Literal('done'), data: SearchDone },
    {
      title: 'DoneSearchEvent',
      description: 'The blocking answer with `order` in place of `availability`; the stream ends.',
    },
  ),
  Type.Object(
    { event: Type.Literal('problem'), data: Type.Ref(PROBLEM_ID) },
    { title: 'ProblemSearchEvent', description: 'The search failed; the stream ends.' },
  ),
])

/** The stream is a text; `contentSchema` describes the events in it. */
export const SearchStream = Type.String({
  contentMediaType: 'text/event-stream',
  contentSchema: Type.Array(SearchEvent),
})
