import { hash } from 'node:crypto'

/** One id for a customer's whole journey. It follows from the search that began it, which offers and bookings name. */
export const sessionIdOf = (searchId: string): string => hash('sha256', `session ${searchId}`).slice(0, 32)
