import type { Place } from '../api/shapes.ts'

const AREAS: readonly Place['type'][] = ['city', 'region', 'country', 'neighbourhood', 'area']

/** True for a landmark, a station, an airport or a property: stays are near it, not in it. */
export const isPointType = (type: Place['type']): boolean => !AREAS.includes(type)
