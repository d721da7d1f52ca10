import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { App } from '../../compose/app.ts'
import { listOperatorRoutes } from '../../compose/http.ts'
import { nearestWord } from '../../lib/text/nearest-word.ts'
import { listQuerySchema } from '../../lists/query-schema.ts'
import { type Command, print, sanitize, WrongArgument } from '../command.ts'
import { operatorName } from '../operator-name.ts'
import { withApp } from '../with-app.ts'

type Http = App['http']
type Route = Awaited<ReturnType<typeof listOperatorRoutes>>[number]

/** Part of JSON Schema that options are generated from. */
type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly description?: string
}
type Field = {
  readonly name: string
  readonly place: 'path' | 'query' | 'body'
  /** Name in the query; ends in `[]` for a list. */
  readonly key: string
  readonly schema: Schema
  readonly isRequired: boolean
}
type Operation = {
  readonly name: string
  readonly route: Route
  readonly fields: readonly Field[]
}

const PLACES = { params: 'path', querystring: 'query', body: 'body' } as const
const EXTRA = { accept: { type: 'string' }, body: { type: 'string' } } as const

export const apiCommand: Command = { usage: describeApi, run: runApi }

async function runApi(args: string[]): Promise<number> {
  if (args.length === 0) return print(await describeApi([]), 0)
  const call = await parseApiCall(args)
  const commandLine = { operator: operatorName(), token: randomUUID() }
  return withApp(({ http }) => call(http, commandLine.token), commandLine)
}

/** Returns a function that calls the operation, prints the response and returns the exit code. */
export async function parseApiCall([name = '', ...args]: string[]) {
  const operations = await listOperatorOperations()
  const operation = operations.find((known) => known.name === name)
  if (operation === undefined) {
    const names = operations.map((known) => known.name)
    const meant = nearestWord(name, names) ?? names.find((known) => known.endsWith(`.${name}`))
    throw new WrongArgument(`There is no operation ${sanitize(name)}${meant ? `; did you mean ${meant}?` : '.'}`)
  }
  const request = readRequest(operation, args)
  return async (http: Http, token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'serai api', ...request.headers }
    const answer = await http.inject({ ...request, headers })
    const { statusCode } = answer
    const exitCode = statusCode < 400 ? 0 : statusCode === 400 || statusCode === 422 ? 2 : 1
    if (/json/.test(String(answer.headers['content-type'])))
      return print(escapeJson(JSON.stringify(answer.json(), null, 2)), exitCode)
    process.stdout.write(answer.rawPayload)
    return exitCode
  }
}

export async function listOperatorOperations(): Promise<Operation[]> {
  const routes = await listOperatorRoutes()
  return routes
    .map((route) => ({ name: route.config?.operation ?? '', route, fields: readFields(route) }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

function readFields({ schema, config }: Route): Field[] {
  const lists = config?.list === undefined ? [] : readProperties('query', listQuerySchema(config.list))
  const declared = Object.entries(PLACES).flatMap(([part, place]) =>
    readProperties(place, Object(schema)[part]).map((field) =>
      place === 'path' ? { ...field, isRequired: true } : field,
    ),
  )
  // `name[eq]` filters are left out: the short form `name` means the same.
  return [...declared, ...lists.filter(({ name }) => !name.includes('['))]
}

function readProperties(place: Field['place'], object: unknown): Field[] {
  const { properties = {}, required = [] } = Object(object)
  return Object.entries<Schema>(properties).map(([key, { anyOf = [], ...schema }]) => ({
    name: key.replace(/\[\]$/, ''),
    place,
    key,
    schema: { ...anyOf[0], ...schema },
    isRequired: required.includes(key),
  }))
}

const isList = ({ type = '' }: Schema) => type.includes('array')
const isText = ({ type = '', enum: values }: Schema) => type.includes('string') || values !== undefined

/** Builds the request from the options. The operation validates their values. */
function readRequest({ name, route, fields }: Operation, args: string[]) {
  const options = fields.map(({ name: option }) => [option, { type: 'string', multiple: true }] as const)
  const { values } = parseArgs({ args, options: { ...EXTRA, ...Object.fromEntries(options) } })
  const given = (place: Field['place']) =>
    fields.flatMap((field) => {
      const texts: string[] = Object(values)[field.name] ?? []
      return field.place === place && texts.length > 0 ? [{ ...field, texts }] : []
    })
  const path = Object.fromEntries(given('path').map((field) => [field.name, field.texts.at(-1)]))
  const url = route.url.replace(/:(\w+)/g, (_all, option: string) => {
    if (!path[option]) throw new WrongArgument(`${name} needs --${option}.`)
    return encodeURIComponent(path[option])
  })
  const query = new URLSearchParams()
  for (const { key, texts } of given('query')) for (const text of texts) query.append(key, text)
  const body = Object.fromEntries(
    given('body').map(({ name: field, schema, texts }) => [field, readValue(schema, texts)]),
  )
  const payload = { ...(values.body !== undefined && readJson(values.body)), ...body }
  return {
    method: String(route.method) as 'POST',
    url: query.size === 0 ? url : `${url}?${query}`,
    ...(Object(route.schema).body !== undefined && { payload }),
    ...(values.accept !== undefined && { headers: { accept: values.accept } }),
  }
}

function readValue(schema: Schema, texts: readonly string[]): unknown {
  const text = texts.at(-1) ?? ''
  if (isText(schema)) return text
  try {
    return JSON.parse(text)
  } catch {
    return isList(schema) ? texts.flatMap((list) => list.split(',')) : text
  }
}

function readJson(path: string): object {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : `cannot be read (${Object(error).code})`
    throw new WrongArgument(`${sanitize(path)} ${reason}.`)
  }
}

/** Escapes control characters from vendors and guests, which could manipulate a terminal. The JSON value is unchanged. */
const escapeJson = (json: string): string =>
  json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (text) =>
    Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )

async function describeApi([name]: string[]): Promise<string> {
  const operations = await listOperatorOperations()
  const operation = operations.find((known) => known.name === name)
  if (operation !== undefined) return describeOperation(operation)
  const width = Math.max(...operations.map((known) => known.name.length))
  return [
    'serai api OPERATION [--FIELD VALUE …] [--body FILE] [--accept TYPE]',
    '',
    'Calls an operation of the API as an operator and prints the response. The audit log records your user name.',
    '',
    ...operations.map((known) => `  ${known.name.padEnd(width)}  ${known.route.schema?.summary}`),
    '',
    'serai api OPERATION --help prints its fields.',
  ].join('\n')
}

function describeOperation({ name, route, fields }: Operation): string {
  const { summary, description, body } = Object(route.schema)
  return [
    `serai api ${name}`,
    '',
    `${summary}. ${description ?? ''}`.trim(),
    '',
    ...fields.map(({ name: option, schema, isRequired }) => {
      const values =
        schema.enum?.join('|') ??
        [schema.type ?? 'object']
          .flat()
          .filter((type) => type !== 'null')
          .join('|')
      return `  --${option} ${values}${isRequired ? ' (required)' : ''}\n      ${schema.description ?? ''}`.trimEnd()
    }),
    ...(body === undefined ? [] : ['  --body FILE\n      JSON file with the fields of the request.']),
    '  --accept TYPE\n      Media type of the response, if there are several.',
    '',
    'For a list, repeat the option or separate its values with commas. Write objects as JSON.',
  ].join('\n')
}
