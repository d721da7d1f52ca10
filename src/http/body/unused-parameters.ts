import type { FastifyContextConfig, FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import { firstPageQuerySchema, listQuerySchema } from '../../lists/query-schema.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Parameters of all lists and searches, in the query or the body. */
    listParameters: Set<string>
  }
}

const WARNINGS_MAX = 10

/** Remembers the parameters of every list and search. */
export function collectParameters(app: FastifyInstance): void {
  const names = new Set<string>()
  app.decorate('listParameters', names)
  app.addHook('onRoute', ({ config = {}, schema }) => {
    if (config.list === undefined && config.ordered === undefined) return
    for (const name of [...queryNames(config, schema), ...propertyNames(schema?.body)]) names.add(name)
  })
}

/** Warnings about parameters in the query that another list or search takes, or that are fields of this list. */
export function listUnusedParameters({ query, server, routeOptions: { config, schema } }: FastifyRequest): string[] {
  const own = queryNames(config, schema)
  const inBody = propertyNames(schema?.body)
  const { filterable = [] } = config.list ?? {}
  const explain = (name: string): string | undefined => {
    if (own.includes(name)) return undefined
    if (filterable.includes(name)) return `\`${name}\` was ignored. Filter with \`filters[]=${name}:==<VALUE\`.`
    if (inBody.includes(name)) return `\`${name}\` was ignored in the query. Send it in the body.`
    return server.listParameters.has(name) ? `\`${name}\` was ignored, because it has no effect here.` : undefined
  }
  return Object.keys(Object(query))
    .flatMap((name) => explain(name) ?? [])
    .slice(0, WARNINGS_MAX)
}

function queryNames({ list, ordered, views }: FastifyContextConfig, schema: FastifySchema | undefined): string[] {
  const listed = list ? listQuerySchema(list) : ordered ? firstPageQuerySchema(ordered) : undefined
  const all = [...propertyNames(schema?.querystring), ...propertyNames(listed), ...(views ? ['view'] : [])]
  return all.map((name) => name.replace(/\[.*/, ''))
}

const propertyNames = (schema: unknown): string[] => Object.keys(Object(Object(schema).properties))
