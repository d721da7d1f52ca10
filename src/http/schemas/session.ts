import { type Static, Type } from 'typebox'
import { ROLES } from '../../domain/access.ts'
import { Moment } from './scalars.ts'

export const PageSession = Type.Object(
  {
    account: Type.Union(
      [
        Type.Object(
          { id: Type.String(), email: Type.String(), name: Type.String(), role: Type.Enum([...ROLES]) },
          { title: 'PageAccount' },
        ),
        Type.Null(),
      ],
      { description: 'Null for a guest.' },
    ),
    expires_at: Moment,
  },
  { title: 'PageSession' },
)
export type PageSession = Static<typeof PageSession>

export const SessionResponse = Type.Object({ data: PageSession }, { title: 'PageSessionResponse' })
