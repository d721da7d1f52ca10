/** Messages by the name of the field, which is also its name in the service's refusals. */
export type Faults = Readonly<Record<string, string | undefined>>
