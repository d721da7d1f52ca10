import { DEFAULT_SETTINGS, type PartialSettings } from './server/settings.ts'
import type { StandIn } from './server/stand-in.ts'
import { expediaRapid } from './vendors/expedia_rapid/stand-in.ts'
import { hotelbeds } from './vendors/hotelbeds/stand-in.ts'
import { liteapi } from './vendors/liteapi/stand-in.ts'

/** All vendors that have a stand-in. */
export const STAND_INS = [expediaRapid, hotelbeds, liteapi] as const satisfies readonly StandIn[]

type Registered = (typeof STAND_INS)[number]
export type StandInId = Registered['id']
export const STAND_IN_IDS: readonly StandInId[] = STAND_INS.map(({ id }) => id)

/** Creates one value per stand-in, keyed by vendor id. */
export function byStandIn<Value>(make: (standIn: Registered) => Value): Readonly<Record<StandInId, Value>> {
  return Object.fromEntries(STAND_INS.map((standIn) => [standIn.id, make(standIn)])) as Record<StandInId, Value>
}

/** Every setting of every stand-in, with its default. */
export const ALL_SETTINGS: PartialSettings = Object.assign(
  {},
  DEFAULT_SETTINGS,
  ...STAND_INS.map((standIn: StandIn) => standIn.settings),
)

export const formatPropertyId = ({ propertyId = String }: StandIn, number: number): string => propertyId(number)
