import type { Point } from '../../../src/lib/geo.ts'
import { requirePackage } from './read-source.ts'

const lookUp = requirePackage<(lat: number, lon: number) => string>('@photostructure/tz-lookup')

export const timezoneAt = ({ lat, lon }: Point): string => lookUp(lat, lon)

const ZONE = /^[A-Za-z]+(?:\/[A-Za-z0-9_+-]+){1,2}$/

/** Rejects typing errors of the airport tables: "Asia/ Bangkok". */
export const isTimezone = (name: string): boolean => ZONE.test(name)
