import { Type } from 'typebox'
import { nullable } from '../../http/schemas/or-null.ts'
import { PROBLEM_ID } from '../../http/schemas/problem.ts'
import { SearchDone } from './availability.ts'
import { FreeCancellationSchema } from './conditions.ts'
import { PropertyCardSchema } from './property-card.ts'
import { AccommodationSummary, PropertyId, VendorReportSchema } from './search.ts'

const StreamedProperty = Type.Object(
  {
    ...Type.Partial(AccommodationSummary).properties,
    ...Type.Partial(PropertyCardSchema).properties,
    property_id: PropertyId,
    free_cancellation: Type.Optional(nullable(FreeCancellationSchema)),
  },
  {
    title: 'StreamedProperty',
    description:
      'A whole PropertySummary (with `view=card`, PropertyCard) when a property is sent first, later `property_id` and the members that changed. `free_cancellation` is null if it is absent from now on.',
  },
)
export const FoundProperties = Type.Object({ availability: Type.Array(StreamedProperty) }, { title: 'FoundProperties' })

/** One server-sent event, once its `data` has been parsed. */
const SearchEvent = Type.Union([
  Type.Object(
    { event: Type.Literal('vendor'), data: VendorReportSchema },
    { title: 'VendorSearchEvent', description: 'A vendor answered or failed.' },
  ),
  Type.Object(
    { event: Type.Literal('properties'), data: FoundProperties },
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
