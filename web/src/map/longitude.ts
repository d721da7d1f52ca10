/** The longitude of the copy of a place that lies nearest to another: the 180th meridian may be between them. */
export const besideLongitude = (lon: number, other: number): number => lon + 360 * Math.round((other - lon) / 360)
