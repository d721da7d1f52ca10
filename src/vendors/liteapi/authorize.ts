import type { LiteapiConfig } from './config.ts'

/** Every request carries these. Signing is optional, and its description contradicts itself. */
export const headersOf = ({ apiKey }: LiteapiConfig): Readonly<Record<string, string>> => ({
  accept: 'application/json, text/event-stream',
  'accept-encoding': 'gzip',
  'x-api-key': apiKey,
})
