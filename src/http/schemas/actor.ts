import { Type } from 'typebox'
import { ACTOR_KINDS } from '../../domain/actor.ts'
import { nullable } from './or-null.ts'

export const ActorSchema = Type.Object(
  {
    kind: Type.Enum([...ACTOR_KINDS]),
    id: Type.String({ description: 'Of the account, key, operator or vendor; the job’s name for `system`.' }),
  },
  { title: 'Actor' },
)

export const ActorOrNull = nullable(ActorSchema, 'Who caused the event; null where an earlier version recorded it.')
