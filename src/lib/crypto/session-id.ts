import { hash } from 'node:crypto'

/** Derives the id of a customer's whole journey from its search, which offers and bookings name. */
export const deriveSessionId = (searchId: string): string => hash('sha256', `session ${searchId}`).slice(0, 32)
