import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A step on the way in: it lets a request pass by saying nothing, or refuses it with an error. Few ever have to wait. */
export type Step = (request: FastifyRequest, reply: FastifyReply) => Error | undefined | Promise<Error | undefined>

/** All steps as one hook, in their order, so that a request which need not wait passes them in one go. */
export function addPassage(app: FastifyInstance, steps: readonly Step[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const refusal = firstRefusal(steps, request, reply)
      if (refusal instanceof Promise) refusal.then(done, done)
      else done(refusal)
    } catch (bug) {
      done(bug as Error)
    }
  })
}

function firstRefusal(steps: readonly Step[], request: FastifyRequest, reply: FastifyReply): ReturnType<Step> {
  for (let at = 0; at < steps.length; at += 1) {
    const refusal = steps[at]?.(request, reply)
    if (refusal instanceof Promise) {
      return refusal.then((late) => late ?? firstRefusal(steps.slice(at + 1), request, reply))
    }
    if (refusal !== undefined) return refusal
  }
  return undefined
}
