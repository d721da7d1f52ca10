export const moment = (ms: number): string => new Date(ms).toISOString()

export const momentOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : moment(ms))
