import { Type } from 'typebox'
import { ListMetaSchema, listEnvelope } from '../../http/schemas/answer.ts'
import { Amount, Count } from '../../http/schemas/scalars.ts'
import { SummariesOrCards } from './property-card.ts'
import { PropertyId, SEARCH_HEAD, SearchHead } from './search.ts'

const CountsByName = Type.Record(Type.String(), Count)
const FacetsSchema = Type.Object(
  {
    stars: CountsByName,
    amenities: Type.Array(
      Type.Object({ slug: Type.String(), label: Type.String(), count: Count }, { title: 'AmenityCount' }),
    ),
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

const AvailabilityMeta = Type.Object(
  { ...ListMetaSchema.properties, facets: Type.Optional(FacetsSchema), search: Type.Optional(SearchHead) },
  { title: 'AvailabilityMeta' },
)

export const AvailabilityPageResponse = Type.Object(
  { data: SummariesOrCards, meta: AvailabilityMeta },
  { title: 'AvailabilityPage' },
)

const PageMeta = Type.Optional(AvailabilityMeta)
export const SearchResponse = Type.Object(
  {
    data: Type.Object({ availability: SummariesOrCards, ...SEARCH_HEAD }, { title: 'Search' }),
    meta: PageMeta,
  },
  { title: 'SearchAnswer' },
)
export const SearchDone = Type.Object(
  {
    data: Type.Object(
      { order: Type.Array(PropertyId, { description: 'The properties in the requested order.' }), ...SEARCH_HEAD },
      { title: 'StreamedSearch' },
    ),
    meta: PageMeta,
  },
  { title: 'SearchDone' },
)

export const SavedSearchList = listEnvelope('SavedSearchList', SearchHead)
