import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Probe } from '../contract.ts'
import { type Caller, probeClock, tryRequest } from '../transport/caller.ts'
import { asRecord } from '../wire/read.ts'
import { canBook, type HotelbedsConfig } from './config.ts'
import { encodeCodeList, encodeStatus } from './encode.ts'

type Hotelbeds = Caller<HotelbedsConfig>

/** A signature is valid for "a few minutes" either way; the probe fails before that. */
const SKEW_MAX_MS = 60_000
const CERTIFICATE_WARNING_DAYS = 21

/** One line each for key, clock, content and certificate. Failures are reported, not thrown. */
export async function probe(hotelbeds: Hotelbeds, context: CallContext): Promise<readonly Probe[]> {
  const { config, clock } = hotelbeds
  const status = await tryRequest(hotelbeds, encodeStatus(), context)
  const content = await tryRequest(hotelbeds, encodeCodeList('types/boards', 1, 1), context)
  const isOk = asRecord(status.reply?.body)?.status === 'OK'
  return [
    {
      name: 'credentials',
      ok: isOk,
      detail: status.failure ?? (isOk ? 'key and signature accepted' : 'unexpected answer'),
    },
    probeClock(status.reply, clock, SKEW_MAX_MS),
    {
      name: 'content',
      ok: content.failure === undefined,
      detail: content.failure ?? 'the Content API accepts this key',
    },
    ...(config.certificatePath === undefined ? [] : [await certificateProbe(config.certificatePath, clock)]),
    ...(canBook(config) ? [] : [NO_CERTIFICATE]),
  ]
}

const NO_CERTIFICATE: Probe = {
  name: 'booking',
  ok: false,
  detail: 'bookings require mutual TLS: set the client certificate and the api-mtls host',
}

async function certificateProbe(path: string, clock: Clock): Promise<Probe> {
  try {
    const { validTo } = new X509Certificate(await readFile(path))
    const days = Math.floor((Date.parse(validTo) - clock.now()) / DAY_MS)
    return { name: 'certificate', ok: days > CERTIFICATE_WARNING_DAYS, detail: `valid for ${days} more days` }
  } catch (error) {
    return { name: 'certificate', ok: false, detail: error instanceof Error ? error.message : 'cannot be read' }
  }
}
