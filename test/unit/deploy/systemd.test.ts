import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../../src/config.ts'
import { plainProblem } from '../../../src/http/problem.ts'
import { CLOSE_TIMEOUT_MS } from '../../../src/process/serve.ts'
import { KNOWN_VARIABLES, readText, TEST_SECRETS } from './deploy-files.ts'

const unit = readText('deploy/systemd/serai.service')
const environment = parseEnv(readText('deploy/systemd/serai.env.example')) as Record<string, string>
const readUnit = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

test('the settings are known, and valid as soon as a secret is filled in', () => {
  expect(Object.keys(environment).filter((name) => !KNOWN_VARIABLES.has(name))).toEqual([])
  expect(() => readConfig(environment)).toThrow(ConfigError)
  expect(readConfig({ ...environment, SERAI_SECRETS: TEST_SECRETS })).toMatchObject({
    mode: 'production',
    host: '127.0.0.1',
    trustProxy: 1,
    metrics: { port: 9090 },
  })
})

test('the data are in the folder that systemd creates for the service', () => {
  expect(environment.SERAI_DATA_DIR).toBe(`/var/lib/${readUnit('StateDirectory')}`)
})

test('the unit starts the same command as the image', () => {
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(readText('Dockerfile'))?.[1] ?? '[]') as string[]
  expect(readUnit('ExecStart')).toBe(`/usr/bin/${command.join(' ')}`)
})

test('the service has enough time to drain and to close before it is killed', () => {
  const { drainMs } = readConfig({ ...environment, SERAI_SECRETS: TEST_SECRETS })
  expect(Number(readUnit('TimeoutStopSec')) * 1_000).toBeGreaterThan(drainMs + CLOSE_TIMEOUT_MS)
})

test('the proxy of one machine sends requests to the port of the service, and problems like a node', () => {
  const proxy = readText('deploy/systemd/haproxy.cfg')
  const { port } = readConfig({ ...environment, SERAI_SECRETS: TEST_SECRETS })
  expect(proxy).toMatch(new RegExp(`^ {4}server local 127\\.0\\.0\\.1:${port}$`, 'm'))
  const { detail: _, instance: __, ...answer } = JSON.parse(/string '(.*)'$/m.exec(proxy)?.[1] ?? '')
  expect(plainProblem('overloaded')).toMatchObject(answer)
})
