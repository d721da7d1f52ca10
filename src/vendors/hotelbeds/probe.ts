import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Probe } from '../contract.ts'
import { attempt, type Caller, clockProbe } from '../transport/caller.ts'
import { recordOf } from '../wire/read.ts'
import type { HotelbedsConfig } from './config.ts'
import { encodeCodeList, encodeStatus } from './encode.ts'

type Hotelbeds = Caller<HotelbedsConfig>

/** A signature is valid for "a few minutes" either way; a clock this far off deserves a warning before that. */
const SKEW_MAX_MS = 60_000
const CERTIFICATE_WARNING_DAYS = 21

/** Key, clock, content and certificate, one line each. A failure is a line too, never an exception. */
export async function probe(hotelbeds: Hotelbeds, context: CallContext): Promise<readonly Probe[]> {
  const { config, clock } = hotelbeds
  const status = await attempt(hotelbeds, encodeStatus(), context)
  const content = await attempt(hotelbeds, encodeCodeList('types/boards', 1, 1), context)
  const isOk = recordOf(status.reply?.body)?.status === 'OK'
  return [
    {
      name: 'credentials',
      ok: isOk,
      detail: status.failure ?? (isOk ? 'key and signature accepted' : 'unexpected answer'),
    },
    clockProbe(status.reply, clock, SKEW_MAX_MS),
    {
      name: 'content',
      ok: content.failure === undefined,
      detail: content.failure ?? 'the Content API answers to this key',
    },
    ...(config.certificatePath === undefined ? [] : [await certificateProbe(config.certificatePath, clock)]),
  ]
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
