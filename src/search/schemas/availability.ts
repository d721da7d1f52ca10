import { Type } from 'typebox'
import { ListMetaSchema, listEnvelope } from '../../http/schemas/answer.ts'
import { Amount, Count } from '../../http/schemas/scalars.ts'
import { AccommodationSummary, SearchHead } from './search.ts'

const CountsByName = Type.Record(Type.String(), Count)
const FacetsSchema = Type.Object(
  {
    stars: CountsByName,
    amenities: Type.Array(
      Type.Object({ slug: Type.String(), label: Type.String(), count: Count }, { title: 'AmenityCount' }),
    ),
    boards: CountsByName,
    free_cancellation: Count,
    price: Type.Object(
      {
        min: Amount,
        max: Amount,
        bars: Type.Array(Type.Object({ from: Amount, to: Amount, count: Count }, { title: 'PriceBar' })),
      },
      { title: 'PriceRange' },
    ),
  },
  { title: 'Facets', description: 'Number of properties that each filter would leave.' },
)

export const AvailabilityPageResponse = Type.Object(
  {
    data: Type.Array(AccommodationSummary),
    meta: Type.Object(
      { ...ListMetaSchema.properties, facets: Type.Optional(FacetsSchema), search: Type.Optional(SearchHead) },
      { title: 'AvailabilityMeta' },
    ),
  },
  { title: 'AvailabilityPage' },
)

export const SavedSearchList = listEnvelope('SavedSearchList', SearchHead)
