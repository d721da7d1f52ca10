import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { VENDOR_KINDS } from '../../../src/vendors/registry.ts'

export const REPOSITORY = join(import.meta.dirname, '../../..')
export const readText = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')

type Probe = { httpGet: { path: string; port: string }; failureThreshold: number }
type Container = {
  name: string
  image: string
  command: string[]
  ports?: { name: string; containerPort: number }[]
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  securityContext: {
    allowPrivilegeEscalation: boolean
    readOnlyRootFilesystem: boolean
    capabilities: { drop: string[] }
  }
  resources: { requests: Record<string, string>; limits: Record<string, string> }
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  lifecycle?: { preStop: { sleep: { seconds: number } } }
  volumeMounts: { name: string; mountPath: string }[]
}
export type PodSpec = {
  terminationGracePeriodSeconds?: number
  automountServiceAccountToken: boolean
  securityContext: { runAsNonRoot: boolean; runAsUser: number }
  containers: Container[]
  volumes: { name: string; emptyDir?: object }[]
}
type Template = { metadata: { labels: Record<string, string> }; spec: PodSpec }
export type Manifest = {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  stringData?: Record<string, string>
  images?: { name: string; newTag: string }[]
  resources?: string[]
  spec: {
    template: Template
    selector: { matchLabels: Record<string, string> } & Record<string, string>
    minReplicas: number
    maxReplicas: number
    ports: { targetPort: string }[]
    maxUnavailable: number
    scaleTargetRef: { name: string }
    podSelector: { matchLabels: Record<string, string> }
    ingress: { ports: { port: number }[] }[]
  }
}

const KUBERNETES = 'deploy/kubernetes'
export const manifestPaths = readdirSync(join(REPOSITORY, KUBERNETES), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml') && path !== 'secret.yaml')
  .map((path) => `${KUBERNETES}/${path}`)
export const manifest = (path: string): Manifest => parse(readText(`${KUBERNETES}/${path}`)) as Manifest

type Service = {
  image: string
  command?: string[]
  read_only?: boolean
  cap_drop?: string[]
  mem_limit?: string
  environment?: Record<string, string>
  networks?: string[]
  volumes?: string[]
  ports?: string[]
  secrets?: string[]
  tmpfs?: string[]
  stop_grace_period?: string
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[]; disable?: boolean }
}
export type Compose = {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean }>
  secrets?: Record<string, { file: string }>
}
export const compose = parse(readText('compose.yaml'), { merge: true }) as Compose

/** Same syntax as Compose: `${NAME}`, `${NAME:-default}`, `${NAME:?why}`. */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, rest: string) => {
    const value = env[name] ?? ''
    if (value !== '') return value
    if (kind === '?') throw new Error(`${name} ${rest}`)
    return rest ?? ''
  })
}

/** All variables of the service, its vendors, Node and the C library. */
export const KNOWN_VARIABLES: ReadonlySet<string> = new Set([
  ...[...readText('src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): Type\./gm)].map(([, name]) => name ?? ''),
  ...VENDOR_KINDS.flatMap((kind) => kind.variables.map(({ name }) => name)),
  'NODE_COMPILE_CACHE',
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
  'MALLOC_TRIM_THRESHOLD_',
])

export const TEST_SECRETS = 'k1:oOr/qPp12RZVC5nv4cTnSeTzCcW+xtjBoZRAcbUxmpk='
