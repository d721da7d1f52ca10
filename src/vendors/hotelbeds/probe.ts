import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { CallContext } from '../../lib/call-context.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Call, Reply } from '../call.ts'
import type { Probe } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import { encodeCodeList, encodeStatus } from './encode.ts'
import { objectOf, type Wire } from './wire.ts'

type Deps = {
  answered(call: Call, context: CallContext): Promise<Reply>
  clock: Clock
  certificatePath: string | undefined
}

/** A signature holds for "a few minutes" either way; a clock this far off deserves a warning before that. */
const SKEW_MAX_MS = 60_000
const DAY_MS = 86_400_000
const CERTIFICATE_WARNING_DAYS = 21

/** Key, clock, content and certificate, one line each. A failing one is a line too, never an exception. */
export async function probeAccount(deps: Deps, context: CallContext): Promise<readonly Probe[]> {
  const status = await attempt('credentials', async () => {
    const reply = await deps.answered(encodeStatus(), context)
    const ok = objectOf<Wire<'status'>>(reply.body)?.status === 'OK'
    return { ok, detail: ok ? 'key and signature accepted' : 'unexpected answer', reply }
  })
  const content = await attempt('content', async () => {
    await deps.answered(encodeCodeList('types/boards', 1, 1), context)
    return { ok: true, detail: 'the Content API answers to this key' }
  })
  const probes: Probe[] = [status.probe, clockProbe(status.value?.reply, deps.clock), content.probe]
  if (deps.certificatePath !== undefined) probes.push(await certificateProbe(deps.certificatePath, deps.clock))
  return probes
}

async function attempt<T extends { ok: boolean; detail: string }>(name: string, work: () => Promise<T>) {
  try {
    const value = await work()
    return { probe: { name, ok: value.ok, detail: value.detail }, value }
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    return { probe: { name, ok: false, detail: error.message }, value: undefined }
  }
}

function clockProbe(reply: Reply | undefined, clock: Clock): Probe {
  const theirs = Date.parse(reply?.headers.date ?? '')
  if (Number.isNaN(theirs)) return { name: 'clock', ok: true, detail: 'the answer carries no date to compare with' }
  const skewMs = clock.now() - theirs
  const detail = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs < 0 ? 'behind' : 'ahead of'} the vendor`
  return { name: 'clock', ok: Math.abs(skewMs) <= SKEW_MAX_MS, detail }
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
