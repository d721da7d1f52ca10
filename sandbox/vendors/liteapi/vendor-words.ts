import type { StandInAnswer } from '../../server/answer-under-faults.ts'

/** The vendor's format of responses and errors. The error code has the meaning; the HTTP status varies. */
export const json = (status: number, body: unknown): StandInAnswer => ({ status, body: JSON.stringify(body) })

export const problem = (status: number, code: number, message: string, description?: string): StandInAnswer =>
  json(status, { error: { code, message, ...(description !== undefined && { description }) } })

export const missing = (description: string): StandInAnswer =>
  problem(400, 4002, 'required request field is missing or wrong input', description)

export const badRequest = (description: string): StandInAnswer => problem(400, 4000, 'bad request', description)

export const noAvailability = (as204: boolean): StandInAnswer =>
  as204 ? { status: 204, body: '' } : problem(200, 2001, 'no availability found')

export const notConfirmed = (description: string): StandInAnswer =>
  problem(410, 4012, 'booking not confirmed', description)

export const prebookGone = missing('Invalid prebookId, rate not found')
export const noContent: StandInAnswer = { status: 204, body: '' }
export const unchanged: StandInAnswer = { status: 304, body: '' }

/** Server-sent events without names, terminated by `[DONE]`. */
export const stream = (events: readonly unknown[]): StandInAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((event) => `data: ${event}\n\n`).join(''),
})
