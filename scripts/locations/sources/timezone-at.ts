import type { Point } from '../../../src/lib/geo.ts'
import { requirePackage } from './read-source.ts'

const lookUp = requirePackage<(lat: number, lon: number) => string>('@photostructure/tz-lookup')

export const timezoneAt = ({ lat, lon }: Point): string => lookUp(lat, lon)
