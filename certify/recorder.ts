import type { OnExchange } from '../src/vendors/transport/recorded.ts'
import { CONTACT, GUESTS, HOLDER } from './persons.ts'
import type { Evidence, Exchange, Shown } from './review.ts'

export type Recorder = ReturnType<typeof createRecorder>

/** Keeps what went to the vendor and what we showed, by sample and step, in the order in which it happened. */
export function createRecorder() {
  const exchanges: Exchange[] = []
  const shown: Shown[] = []
  let at = { sample: 'before', step: 'start' }
  let number = 0
  const fileOf = (name: string) => {
    number += 1
    return `${at.sample}/${String(number).padStart(3, '0')}-${name.replace(/[^\w-]/g, '_')}`
  }

  const onExchange: OnExchange = (_vendor, call, outcome) => {
    const answered = 'status' in outcome
    exchanges.push({
      ...at,
      operation: call.operation,
      class: call.class,
      method: call.method,
      path: call.path,
      headers: call.headers ?? {},
      body: call.body,
      status: answered ? outcome.status : undefined,
      answer: answered ? (outcome.body ?? outcome.text) : undefined,
      fault: answered ? undefined : outcome.fault,
      file: `${fileOf(`vendor-${call.operation}`)}.txt`,
    })
  }
  return {
    onExchange,
    /** From here on, everything belongs to this step. */
    enter(sample: string, step: string): void {
      at = { sample, step }
    },
    show(status: number, body: unknown): void {
      const kind = typeof body === 'string' ? 'html' : 'json'
      shown.push({ ...at, status, body, file: `${fileOf(`shown-${at.step}`)}.${kind}` })
    },
    /** The exchanges of one step so far. */
    of: (sample: string, step: string): Exchange[] =>
      exchanges.filter((one) => one.sample === sample && one.step === step),
    evidence: (): Evidence => ({
      exchanges: [...exchanges],
      shown: [...shown],
      guests: GUESTS.map(({ given_name, family_name }) => ({ givenName: given_name, familyName: family_name })),
      holder: HOLDER,
      customerIp: CONTACT.ip,
    }),
  }
}
