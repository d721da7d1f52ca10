import { type Static, Type } from 'typebox'
import { ROLES } from '../domain/access.ts'
import { dataEnvelope } from '../http/schemas/answer.ts'
import { nullable } from '../http/schemas/or-null.ts'
import { Moment } from '../http/schemas/scalars.ts'
import type { PropertyCardSchema } from '../search/schemas/property-card.ts'
import type { SearchHead } from '../search/schemas/search.ts'

export const PageSession = Type.Object(
  {
    account: nullable(
      Type.Object(
        { id: Type.String(), email: Type.String(), name: Type.String(), role: Type.Enum([...ROLES]) },
        { title: 'PageAccount' },
      ),
      'Null for a guest.',
    ),
    expires_at: Moment,
  },
  { title: 'PageSession' },
)
export type PageSession = Static<typeof PageSession>

export const SessionResponse = dataEnvelope('PageSessionResponse', PageSession)

/** Results as the API sends them. */
export type ListedSearch = Static<typeof SearchHead>
export type ListedCard = Static<typeof PropertyCardSchema>
