import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * A step on the way in: it lets a request pass by saying nothing, or refuses it with an error. Few ever have to wait. What the
 * route says of itself is handed to it, because the framework puts it together anew whenever it is asked.
 */
export type Step = (
  request: FastifyRequest,
  reply: FastifyReply,
  route: FastifyContextConfig,
) => Error | undefined | Promise<Error | undefined>

/** All steps as one hook, in their order, so that a request which need not wait passes them in one go. */
export function addPassage(app: FastifyInstance, steps: readonly Step[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const refusal = firstRefusal(steps, request, reply, request.routeOptions.config)
      if (refusal instanceof Promise) refusal.then(done, done)
      else done(refusal)
    } catch (bug) {
      done(bug as Error)
    }
  })
}

function firstRefusal(
  steps: readonly Step[],
  request: FastifyRequest,
  reply: FastifyReply,
  route: FastifyContextConfig,
): ReturnType<Step> {
  for (let at = 0; at < steps.length; at += 1) {
    const refusal = steps[at]?.(request, reply, route)
    if (refusal instanceof Promise) {
      return refusal.then((late) => late ?? firstRefusal(steps.slice(at + 1), request, reply, route))
    }
    if (refusal !== undefined) return refusal
  }
  return undefined
}
