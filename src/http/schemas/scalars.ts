import { Type } from 'typebox'
import { nullable } from './or-null.ts'

export const Moment = Type.String({ format: 'date-time' })
export const LocalMoment = Type.String({
  format: 'date-time',
  description: 'ISO 8601 with the UTC offset of the property.',
})
export const Day = Type.String({ format: 'date' })
export const Uuid = Type.String({ format: 'uuid' })
/** Short, because it is stored with the search and in each of its offers. */
export const LANGUAGE_TAG = { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 } as const
/** Query parameter. */
export const languageParameter = (description: string) =>
  Type.Optional(
    Type.String({
      ...LANGUAGE_TAG,
      description,
      'x-errors': { '*': { code: 'wrong_format', message: 'language must be a BCP 47 tag, such as de.' } },
    }),
  )
export const LanguageTag = Type.String({ description: 'BCP 47, such as `de`.' })

export const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })
export const Amount = Type.Number({ minimum: 0, description: 'In major units of `currency`.' })
export const NetPrice = Type.Number({
  minimum: 0,
  description: 'Price charged by the vendor, in `currency`. Only for accounts that may see net prices.',
})
export const Count = Type.Integer({ minimum: 0 })
export const Rating = Type.Number({ minimum: 0, maximum: 5 })
export const TimeZone = Type.String({ description: 'IANA name, such as `Europe/Paris`.' })
export const TextOrNull = nullable(Type.String())

export const Point = Type.Object(
  { lat: Type.Number({ minimum: -90, maximum: 90 }), lon: Type.Number({ minimum: -180, maximum: 180 }) },
  { title: 'Point', description: 'Degrees.' },
)
