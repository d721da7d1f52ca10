import { join } from 'node:path'
import ts from 'typescript-6'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { manifestPaths, REPOSITORY, readText } from './deploy-files.ts'

/** Declarations of the oldest supported version of the API, generated from its published schema. */
const DECLARATIONS = 'kubernetes-types'
const isKustomization = (path: string) => path.endsWith('kustomization.yaml')

type Named = { readonly apiVersion: string; readonly kind: string }

/** Path of the declarations: `networking.k8s.io/v1` is `networking/v1`, and `v1` is `core/v1`. */
const readModule = ({ apiVersion }: Named): string => {
  const [group = '', version] = apiVersion.split('/')
  return version === undefined ? `core/${group}` : `${group.split('.')[0]}/${version}`
}

/** Files of the library and of the declarations, read and parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** Errors of manifests as object literals of their declared types: unknown, missing and wrong members. */
function validateAll(manifests: readonly unknown[]): string[] {
  const lines = manifests.map((value, index) => {
    const named = value as Named
    return `import type { ${named.kind} as T${index} } from '${DECLARATIONS}/${readModule(named)}'; export const m${index}: T${index} & { apiVersion: string; kind: string; metadata: { name: string } } = ${JSON.stringify(value)}`
  })
  const file = join(REPOSITORY, 'manifests.ts')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const source = ts.createSourceFile(file, lines.join('\n'), ts.ScriptTarget.ES2023)
  const getSourceFile: typeof host.getSourceFile = (name, ...rest) => {
    if (name === file) return source
    if (!parsed.has(name)) parsed.set(name, host.getSourceFile(name, ...rest))
    return parsed.get(name)
  }
  const program = ts.createProgram([file], options, { ...host, getSourceFile })
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

const paths = manifestPaths.filter((path) => !isKustomization(path))
const manifests = paths.map((path) => parse(readText(path)) as Named)
const deployment = parse(readText('deploy/kubernetes/deployment.yaml'))

test('every manifest follows the schema of the Kubernetes API', () => {
  expect(manifests.length).toBeGreaterThan(7)
  expect(validateAll(manifests)).toEqual([])
})

test.each([
  ['an unknown member', { spec: { ...deployment.spec, replica: 2 } }, '\'"replica"\' does not exist'],
  [
    'a wrong type',
    { spec: { ...deployment.spec, minReadySeconds: '5' } },
    "'string' is not assignable to type 'number'",
  ],
  ['a missing member', { spec: { template: deployment.spec.template } }, "'selector' is missing"],
  ['a kind of another group', { apiVersion: 'batch/v1' }, "no exported member 'Deployment'"],
])('the check of manifests reports %s', (_, change, words) => {
  expect(validateAll([{ ...deployment, ...change }]).join('\n')).toContain(words)
})

test('both kustomizations have only members that kustomize knows', () => {
  for (const path of manifestPaths.filter(isKustomization)) {
    const { images, ...rest } = parse(readText(path))
    expect(rest, path).toEqual({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      namespace: 'serai',
      resources: expect.any(Array),
    })
    expect(Object.keys(images[0]).sort()).toEqual(['name', 'newName', 'newTag'])
  }
})
