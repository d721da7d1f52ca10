/** Shifts a longitude by full turns to be nearest to another one; the 180th meridian may be between them. */
export const nearestLongitude = (lon: number, other: number): number => lon + 360 * Math.round((other - lon) / 360)
