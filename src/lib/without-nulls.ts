/** The fields that have a value: many clients write null for what they have none for, which means leaving it out. */
export const withoutNulls = (body: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
