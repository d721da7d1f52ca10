/** An epoch in milliseconds as ISO 8601. */
export const moment = (at: number): string => new Date(at).toISOString()

export const momentOrNull = (at: number | undefined): string | null => (at === undefined ? null : moment(at))
