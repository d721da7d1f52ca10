import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { renderDashboards } from '../../../scripts/dashboards.ts'
import { searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { describeWithPromtool, runPromtool } from '../../support/cli/promtool.ts'
import { ALERT_CASES } from '../../support/http/alert-cases.ts'

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> }
const rulesText = readFileSync('deploy/alerts.yaml', 'utf8')
const rules = (parse(rulesText) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules)
const dashboards = renderDashboards()
const queries = dashboards.flatMap(([, text]) =>
  [...text.matchAll(/"expr": (".*")/g)].map(([, expr = '""']) =>
    String(JSON.parse(expr)).replaceAll('$__rate_interval', '5m'),
  ),
)

/** Labels of each exported metric. Redis is not used here. */
const exported = new Map([['serai_redis_up', new Set<string>()]])
let ours: string[]

beforeAll(async () => {
  const app = await searchApp()
  await searchUntilComplete(app)
  await app.writeFigures()
  app.clock.advance(5_000)
  const text = (await app.call({ url: '/metrics' })).body
  await app.close()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const line of `${text}\n${await registry.metrics()}`.split('\n')) {
    const [, name, labels = ''] = /^(?:# TYPE )?([a-z_0-9]+)(?:\{(.*?)\})? /.exec(line) ?? []
    if (name === undefined) continue
    const known = exported.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    exported.set(name, known)
  }
  // A histogram without a value has no series yet.
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+) histogram/gm))
    for (const part of ['bucket', 'count', 'sum'])
      exported.set(`${name}_${part}`, exported.get(`${name}_${part}`) ?? new Set())
  ours = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name).concat('serai_redis_up')
})

/** Series selectors of an expression: names that are not functions, with their labels. */
function parseSelectors(expr: string): { name: string; labels: string[] }[] {
  const words = expr.replaceAll(/by \([^)]*\)/g, ' ').matchAll(/\b([a-z_][a-z0-9_]*)\s*(\(|\{[^}]*\})?/gi)
  return [...words]
    .filter(([, name = '', after = '']) => !after.startsWith('(') && name.includes('_'))
    .map(([, name = '', after = '']) => ({
      name,
      labels: [...after.matchAll(/(\w+)\s*[=!]~?/g)].map((match) => match[1] ?? ''),
    }))
}

test.each([
  ['deploy/alerts.yaml', rules.map(({ expr }) => expr)],
  ['the dashboards', queries],
])('every metric and label in %s is exported by the service', (_, expressions) => {
  const asked = expressions.flatMap(parseSelectors)
  expect(asked.length).toBeGreaterThan(15)
  const missing = asked.flatMap(({ name, labels }) => {
    const known = exported.get(name)
    if (known === undefined) return [name]
    // A gauge without a value in this test, such as of a quota that is not configured, has no labels.
    return labels.filter((label) => known.size > 0 && !known.has(label)).map((label) => `${name}{${label}}`)
  })
  expect(missing).toEqual([])
})

test('docs/operating/metrics.md lists exactly the exported metrics with their labels', () => {
  const page = readFileSync('docs/operating/metrics.md', 'utf8').split('## Logs')[0] ?? ''
  const documented = new Map(
    [...page.matchAll(/^\| (`[^|]+`) \|([^|]*)\|/gm)].flatMap(([, names = '', labels = '']) =>
      readCodes(names).map((name): [string, string[]] => [name, readCodes(labels).sort()]),
    ),
  )
  expect([...documented.keys()].sort()).toEqual(ours.filter((name) => /^(serai|http)_/.test(name)).sort())
  for (const [name, labels] of documented) {
    const known = exported.get(name) ?? exported.get(`${name}_count`)
    if (known !== undefined && known.size > 0) expect([...known].sort(), name).toEqual(labels)
  }
})

const readCodes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

test('docs/operating/alerts.md explains every alert, with its severity', () => {
  const page = readFileSync('docs/operating/alerts.md', 'utf8')
  const explained = [...page.matchAll(/^\| `(\w+)` \((\w+)\) \|(.+)\|(.+)\|(.+)\|$/gm)]
  expect(explained.map(([, alert, severity]) => [alert, severity]).sort()).toEqual(
    rules.map(({ alert, labels }) => [alert, labels.severity]).sort(),
  )
  for (const [line, , , ...cells] of explained)
    expect(
      cells.every((cell) => cell.trim() !== ''),
      line,
    ).toBe(true)
})

test('every alert rule has a unique name and says what to do', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, annotations } of rules) {
    expect(annotations.summary, alert).toBeTruthy()
    expect(annotations.description, alert).toBeTruthy()
  }
})

test('the dashboards in deploy/grafana are those of the generator', () => {
  for (const [path, text] of dashboards) expect(readFileSync(path, 'utf8'), path).toBe(text)
})

/** The situation in which an alert fires, and the one in which it does not. */
function describeCases(alert: string) {
  const { fires, silent, at } = ALERT_CASES[alert] ?? expect.fail(`no case for ${alert}`)
  const check = (series: Readonly<Record<string, string>>, value: number) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
        eval_time: at,
        exp_samples: [{ labels: '{}', value }],
      },
    ],
  })
  return { rule_files: [`${alert}.yaml`], evaluation_interval: '1m', tests: [check(fires, 1), check(silent, 0)] }
}

describeWithPromtool('promtool', () => {
  test('accepts the alert rules', () => {
    const { status, output } = runPromtool(['check', 'rules'], { 'alerts.yaml': rulesText })
    expect(status, output).toBe(0)
  })

  test('parses every query of the dashboards', () => {
    const recorded = queries.map((expr, index) => ({ record: `query_${index}`, expr }))
    const file = stringify({ groups: [{ name: 'queries', rules: recorded }] })
    const { status, output } = runPromtool(['check', 'rules'], { 'queries.yaml': file })
    expect(status, output).toBe(0)
    expect(output).toContain(`${queries.length} rules found`)
  })

  test('every alert fires in its situation and stays silent otherwise', () => {
    expect(Object.keys(ALERT_CASES).sort()).toEqual(rules.map(({ alert }) => alert).sort())
    // One file for each rule, because promtool evaluates all rules of a file every minute.
    const files = rules.flatMap((rule) => [
      [`${rule.alert}.yaml`, stringify({ groups: [{ name: 'alert', rules: [rule] }] })],
      [`${rule.alert}.test.yaml`, stringify(describeCases(rule.alert))],
    ])
    const tests = rules.slice(0, -1).map(({ alert }) => `${alert}.test.yaml`)
    const { status, output } = runPromtool(['test', 'rules', ...tests], Object.fromEntries(files))
    expect(output.match(/SUCCESS/g)).toHaveLength(rules.length)
    expect(status, output).toBe(0)
  })
})
