import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { ConfigError, readConfig } from '../../../src/config.ts'
import { healthRoutes } from '../../../src/http/health.ts'
import { KNOWN_VARIABLES, manifest, manifestPaths, type PodSpec, readText, TEST_SECRETS } from './deploy-files.ts'

const deployment = manifest('deployment.yaml')
const job = manifest('migrate/job.yaml')
const config = manifest('configmap.yaml').data ?? {}
const secret = manifest('secret.example.yaml').stringData ?? {}
const filled = {
  ...config,
  NODE_ENV: 'production',
  SERAI_SECRETS: TEST_SECRETS,
  DATABASE_URL: 'postgres://serai:x@postgres.databases:5432/serai',
  REDIS_URL: 'rediss://:x@valkey.databases:6379',
}
const readPod = (workload: typeof deployment): PodSpec => workload.spec.template.spec
const pods = [
  ['deployment', readPod(deployment)],
  ['migration job', readPod(job)],
] as const
const onlyContainer = (pod: PodSpec) => {
  const [container] = pod.containers
  if (container === undefined || pod.containers.length > 1) throw new Error('expected exactly one container')
  return container
}
const node = onlyContainer(readPod(deployment))

test('every manifest is YAML without errors or warnings', () => {
  const problems = manifestPaths.flatMap((path) =>
    parseAllDocuments(readText(path)).flatMap((document) => [...document.errors, ...document.warnings].map(String)),
  )
  expect(problems).toEqual([])
  expect(manifestPaths.length).toBeGreaterThan(9)
})

test('every manifest but the secret is applied by one of the two kustomizations', () => {
  const named = [
    ...(manifest('kustomization.yaml').resources ?? []),
    ...(manifest('migrate/kustomization.yaml').resources ?? []).map((path) => `migrate/${path}`),
  ]
  const present = manifestPaths
    .map((path) => path.replace('deploy/kubernetes/', ''))
    .filter((path) => !path.endsWith('kustomization.yaml') && path !== 'secret.example.yaml')
  expect(present.sort()).toEqual(named.sort())
})

test('both kustomizations roll out the same version of a named image', () => {
  const images = ['kustomization.yaml', 'migrate/kustomization.yaml'].map((path) => manifest(path).images)
  expect(images[0]).toEqual(images[1])
  expect(images[0]?.[0]?.newTag).toMatch(/^\d+\.\d+\.\d+$/)
  expect(images[0]?.[0]?.name).toBe(node.image)
})

describe.each(pods)('the pod of the %s', (_, pod) => {
  const container = onlyContainer(pod)

  test('the pod has no privileges, a read-only root and a user other than root', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('the pod can write to the data folders of the image', () => {
    const mounted = container.volumeMounts.map(({ mountPath }) => mountPath)
    expect(mounted).toEqual(expect.arrayContaining(['/tmp', '/data']))
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(pod.volumes.map(({ name }) => name).sort())
  })

  test('the pod requests processor and memory, and has a memory limit', () => {
    expect(container.resources.requests).toMatchObject({ cpu: expect.any(String), memory: expect.any(String) })
    expect(container.resources.limits.memory).toEqual(expect.any(String))
  })

  test('the pod reads its settings from the config map and the secret of these manifests', () => {
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'serai' } }, { secretRef: { name: 'serai' } }])
  })
})

test('every variable of the manifests is known, and every value is valid', () => {
  expect([...Object.keys(config), ...Object.keys(secret)].filter((name) => !KNOWN_VARIABLES.has(name))).toEqual([])
  expect(readConfig(filled)).toMatchObject({ workers: 1, drainMs: 2_000, trustProxy: 1, metrics: { port: 9090 } })
})

test('the secret template contains no secret, and its placeholders are refused', () => {
  expect(Object.values(secret).every((value) => value === '' || value === 'FILL-IN')).toBe(true)
  for (const name of ['SERAI_SECRETS', 'DATABASE_URL', 'REDIS_URL']) {
    expect(() => readConfig({ ...filled, [name]: secret[name] }), name).toThrow(ConfigError)
  }
})

test('every probe uses an existing path and the port of the service', async () => {
  const app = Fastify()
  await app.register(healthRoutes, { readiness: [], isDraining: () => false })
  const port = node.ports?.[0]
  expect(port?.containerPort).toBe(readConfig({ NODE_ENV: 'test' }).port)
  for (const probe of [node.startupProbe, node.readinessProbe, node.livenessProbe]) {
    const { path = '', port: name } = probe?.httpGet ?? {}
    expect(app.hasRoute({ method: 'GET', url: path })).toBe(true)
    expect(name).toBe(port?.name)
  }
  expect(node.readinessProbe?.httpGet.path).toBe('/readyz')
  expect(node.livenessProbe?.httpGet.path).toBe('/healthz')
  await app.close()
})

test('a single late answer does not make a pod unready', () => {
  expect(node.readinessProbe?.failureThreshold).toBeGreaterThanOrEqual(2)
})

test('a pod has enough time to drain and to close before it is killed', () => {
  const drain = Number(config.SERAI_DRAIN_MS) / 1_000
  const close =
    Number(/CLOSE_TIMEOUT_MS = ([\d_]+)/.exec(readText('src/process/serve.ts'))?.[1]?.replaceAll('_', '')) / 1_000
  const wait = node.lifecycle?.preStop.sleep.seconds ?? 0
  expect(readPod(deployment).terminationGracePeriodSeconds).toBeGreaterThan(wait + drain + close)
})

test('service, disruption budget, autoscaler and network policy select the pods of the deployment', () => {
  const labels = deployment.spec.template.metadata.labels
  expect(deployment.spec.selector.matchLabels).toEqual(labels)
  expect(manifest('service.yaml').spec.selector).toEqual(labels)
  expect(manifest('service.yaml').spec.ports[0]?.targetPort).toBe(node.ports?.[0]?.name)
  expect(manifest('disruption-budget.yaml').spec.selector.matchLabels).toEqual(labels)
  expect(manifest('autoscaler.yaml').spec.scaleTargetRef.name).toBe(deployment.metadata.name)
  expect(labels).toMatchObject(manifest('network-policy.yaml').spec.podSelector.matchLabels)
  const [requests, metrics] = manifest('network-policy.yaml').spec.ingress.map(({ ports }) => ports[0]?.port)
  expect([requests, metrics]).toEqual(node.ports?.map(({ containerPort }) => containerPort))
})

test('there are always two nodes, and only one may be taken away at a time', () => {
  const { minReplicas, maxReplicas } = manifest('autoscaler.yaml').spec
  expect(minReplicas).toBeGreaterThanOrEqual(2)
  expect(maxReplicas).toBeGreaterThan(minReplicas)
  expect(manifest('disruption-budget.yaml').spec.maxUnavailable).toBe(1)
})

test('the migration job never takes requests', () => {
  expect(job.spec.template.metadata.labels).not.toMatchObject(deployment.spec.selector.matchLabels)
})
