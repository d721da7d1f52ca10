import { expect, test } from 'vitest'
import type { Drift } from '../../src/vendors/transport/drift/compare-shapes.ts'
import { describeShape } from '../../src/vendors/transport/drift/describe-shape.ts'
import { createShapeWatch } from '../../src/vendors/transport/drift/watch-shapes.ts'
import { searchApp, searchUntilComplete } from '../support/app/search-app.ts'

type Body = ReturnType<typeof JSON.parse>
const SEARCHES = 30
const CALLS = 10_000

/** Deterministic, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Answers of the stand-ins to searches for many stays, by vendor and operation. */
async function collectBodies(): Promise<Map<string, string[]>> {
  const bodies = new Map<string, string[]>()
  const app = await searchApp(
    {},
    {
      onExchange(vendor, { operation }, outcome) {
        if (!('status' in outcome) || outcome.status !== 200 || outcome.body === undefined) return
        const name = `${vendor} ${operation}`
        bodies.set(name, [...(bodies.get(name) ?? []), JSON.stringify(outcome.body)])
      },
    },
  )
  await searchUntilComplete(app)
  for (let index = 0; index < SEARCHES; index += 1) {
    const occupancies = [{ adults: 1 + (index % 3), ...(index % 4 === 0 && { children: [6] }) }]
    const { search_id, availability } = await app.search({
      check_in: app.day(30 + index),
      check_out: app.day(31 + index + (index % 5)),
      occupancies,
    })
    await app.detail(search_id, availability[index % availability.length]?.property_id ?? '')
    app.clock.advance(60_000)
  }
  await app.close()
  return bodies
}

/** All objects of a body with at least two members, with their paths. */
function listObjects(value: Body, path = ''): { path: string; object: Record<string, Body> }[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => listObjects(item, `${path}[]`))
  const inner = Object.entries(value).flatMap(([name, member]) => listObjects(member, `${path}.${name}`))
  return [...(Object.keys(value).length > 1 ? [{ path, object: value }] : []), ...inner]
}

type Plant = (object: Record<string, Body>, name: string) => void
const PLANTS: Readonly<Record<Drift['kind'], Plant>> = {
  new_field: (object) => {
    object.plantedField = 1
  },
  vanished_field: (object, name) => {
    delete object[name]
  },
  changed_type: (object, name) => {
    object[name] = typeof object[name] === 'string' ? 17 : 'seventeen'
  },
  new_value: (object, name) => {
    object[name] = 'PLANTED_WORD'
  },
}

type Groups = ReadonlyMap<string, readonly { object: Record<string, Body> }[]>
const groupObjects = (texts: readonly string[]): Groups =>
  Map.groupBy(
    texts.flatMap((text) => listObjects(JSON.parse(text))),
    ({ path }) => path,
  )

/** Members that are in every object of the path, by what can be planted there. */
function findSites(groups: Groups, learned: ReadonlySet<string>, kind: Drift['kind']): [path: string, name: string][] {
  return [...groups].flatMap(([path, objects]) => {
    if (/\.\d|\.[^.]*[-,]/.test(path)) return []
    const names = Object.keys(objects[0]?.object ?? {}).filter((name) =>
      objects.every(({ object }) => object[name] !== undefined && object[name] !== null),
    )
    const scalars = names.filter((name) =>
      objects.every(({ object }) => ['string', 'number', 'boolean'].includes(typeof object[name])),
    )
    const words = scalars.filter((name) => isEnumeration(learned, `${path}.${name}`))
    const fitting = { new_field: names.slice(0, 1), vanished_field: scalars, changed_type: scalars, new_value: words }[
      kind
    ]
    return fitting.map((name): [string, string] => [path, name])
  })
}

function isEnumeration(learned: ReadonlySet<string>, path: string): boolean {
  const values = [...learned].filter((key) => key.startsWith(`${path}=`))
  return values.length > 0 && values.length <= 10 && !values.includes(`${path}=*`)
}

function plant(text: string, kind: Drift['kind'], [path, name]: readonly [string, string]): Body {
  const body = JSON.parse(text)
  for (const { path: found, object } of listObjects(body)) if (found === path) PLANTS[kind](object, name)
  return body
}

test('of 30 planted drifts at least 29 are reported, and 10,000 unchanged calls cause no report', async () => {
  const bodies = [...(await collectBodies())].filter(([, texts]) => texts.length >= SEARCHES)
  expect(bodies.length).toBeGreaterThanOrEqual(3)
  const random = createRandom(53)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const shapes = new Map(
    bodies.map(([name, texts]) => [
      name,
      texts.flatMap((text) => [1, 2, 3].map(() => describeShape(JSON.parse(text), random))),
    ]),
  )

  const groups = new Map(bodies.map(([name, texts]) => [name, groupObjects(texts)]))
  const paths = new Map([...shapes].map(([name, described]) => [name, new Set(described.flat())]))

  const reported: string[] = []
  const watch = createShapeWatch({
    onDrift: (source, drift) => reported.push(`${source.operation} ${drift.kind} ${drift.path}`),
    sampleEvery: 1,
  })
  const toSource = (name: string) => ({ vendor: name.split(' ')[0] ?? '', operation: name.split(' ')[1] ?? '' })
  for (let count = 0; count < CALLS; count += 1) {
    const [name] = pick(bodies)
    watch.add(toSource(name), pick(shapes.get(name) ?? []))
  }
  expect(reported).toEqual([])

  const learned = watch.takeChanged()
  const missed: string[] = []
  let planted = 0
  const kinds = Object.keys(PLANTS) as Drift['kind'][]
  for (let tries = 0; planted < 30 && tries < 300; tries += 1) {
    const [[name, texts], kind] = [
      bodies[tries % bodies.length] as (typeof bodies)[number],
      kinds[tries % kinds.length] as Drift['kind'],
    ]
    const sites = findSites(groups.get(name) ?? new Map(), paths.get(name) ?? new Set(), kind)
    if (sites.length === 0) continue
    const site = pick(sites)
    planted += 1
    const found: Drift[] = []
    const fresh = createShapeWatch({
      learned,
      onDrift: (_, drift) => found.push(drift),
      sampleEvery: 1,
    })
    const changed = texts.flatMap((text) => [1, 2].map(() => describeShape(plant(text, kind, site), random)))
    for (let count = 0; count < 300; count += 1) fresh.add(toSource(name), pick(changed))
    const path = kind === 'new_field' ? `${site[0]}.plantedField` : `${site[0]}.${site[1]}`
    if (!found.some((drift) => drift.kind === kind && drift.path === path)) missed.push(`${name} ${kind} ${path}`)
  }
  expect(planted).toBe(30)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(1)
})
