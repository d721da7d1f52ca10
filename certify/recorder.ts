import type { OnExchange } from '../src/vendors/transport/report-exchanges.ts'
import { CONTACT, GUESTS, HOLDER } from './persons.ts'
import type { Evidence, Exchange, Shown } from './review.ts'

export type Recorder = ReturnType<typeof createEvidenceRecorder>

/** Records vendor calls and shown responses by sample and step, in order. */
export function createEvidenceRecorder() {
  const exchanges: Exchange[] = []
  const shown: Shown[] = []
  let position = { sample: 'before', step: 'start' }
  let number = 0
  const nextFile = (name: string) => {
    number += 1
    return `${position.sample}/${String(number).padStart(3, '0')}-${name.replace(/[^\w-]/g, '_')}`
  }

  const onExchange: OnExchange = (_vendor, call, outcome) => {
    const answered = 'status' in outcome
    exchanges.push({
      ...position,
      operation: call.operation,
      class: call.class,
      method: call.method,
      path: call.path,
      headers: call.headers ?? {},
      body: call.body,
      status: answered ? outcome.status : undefined,
      answer: answered ? (outcome.body ?? outcome.text) : undefined,
      fault: answered ? undefined : outcome.fault,
      file: `${nextFile(`vendor-${call.operation}`)}.txt`,
    })
  }
  return {
    onExchange,
    /** Starts a step; everything recorded afterwards belongs to it. */
    enter(sample: string, step: string): void {
      position = { sample, step }
    },
    show(status: number, body: unknown): void {
      const kind = typeof body === 'string' ? 'html' : 'json'
      shown.push({ ...position, status, body, file: `${nextFile(`shown-${position.step}`)}.${kind}` })
    },
    listExchanges: (sample: string, step: string): Exchange[] =>
      exchanges.filter((exchange) => exchange.sample === sample && exchange.step === step),
    evidence: (): Evidence => ({
      exchanges: [...exchanges],
      shown: [...shown],
      guests: GUESTS.map(({ given_name, family_name }) => ({ givenName: given_name, familyName: family_name })),
      holder: HOLDER,
      customerIp: CONTACT.ip,
    }),
  }
}
