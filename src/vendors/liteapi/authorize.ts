import type { LiteapiConfig } from './config.ts'

/** Requests are not signed: signing is optional, and its documentation contradicts itself. */
export const buildHeaders = ({ apiKey }: LiteapiConfig): Readonly<Record<string, string>> => ({
  accept: 'application/json, text/event-stream',
  'accept-encoding': 'gzip',
  'x-api-key': apiKey,
})
