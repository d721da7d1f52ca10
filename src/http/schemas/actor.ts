import { Type } from 'typebox'
import { ACTOR_KINDS } from '../../domain/actor.ts'
import { nullable } from './or-null.ts'

export const ActorSchema = Type.Object(
  {
    kind: Type.Enum([...ACTOR_KINDS]),
    id: Type.String({ description: 'Id of the account, key, operator or vendor; for `system`, the name of the job.' }),
  },
  { title: 'Actor' },
)

export const ActorOrNull = nullable(ActorSchema, 'Cause of the event; null if an earlier version recorded it.')
