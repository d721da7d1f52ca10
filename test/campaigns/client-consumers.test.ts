import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript-6'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devServer } from '../support/client/dev-server.ts'
import { type InstalledClient, installClient } from '../support/client/installed-client.ts'
import { ROOT } from '../support/servers/server-process.ts'

// `test/process/client/package.test.ts` compiles and runs the usual consumer, an ES module.

const run = promisify(execFile)

let server: Awaited<ReturnType<typeof devServer>>
let client: InstalledClient
beforeAll(async () => {
  ;[server, client] = await Promise.all([devServer(), installClient()])
})
afterAll(async () => {
  client?.close()
  await server?.close()
})

/** Compiles files of the client's folder with a compiler and returns the errors. */
async function compile(compiler: string, options: object, files: readonly string[]): Promise<string> {
  const compilerOptions = {
    target: 'es2023',
    strict: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    outDir: 'out',
    ...options,
  }
  writeFileSync(join(client.folder, 'tsconfig.other.json'), JSON.stringify({ compilerOptions, files }))
  const program = join(ROOT, 'node_modules', compiler, 'bin/tsc')
  const { stdout } = await run(process.execPath, [program, '-p', 'tsconfig.other.json'], { cwd: client.folder }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

/** Uses every entry point. */
const CONSUMER = `import { createClient, SeraiError, signWebhook, type Booking } from '@serai/client'
import { createOperatorClient } from '@serai/client/operator'
import { createFetchHandler } from '@serai/client/webhooks'

async function main() {
  const options = { baseUrl: process.argv[2] ?? '', retries: 0 }
  const guest = createClient(options)
  const operator = createOperatorClient(options)
  const error: unknown = await operator.operator.bookings().catch((failure: unknown) => failure)
  const shown: Promise<Booking> | undefined = undefined
  if (!(error instanceof SeraiError)) throw error
  const secret = 'whsec_' + Buffer.from('a secret of twenty-four!').toString('base64')
  const at = Math.floor(Date.now() / 1000)
  const headers = { 'webhook-id': 'e', 'webhook-timestamp': String(at), 'webhook-signature': await signWebhook(secret, 'e', at, '{}') }
  const request = new Request('http://shop/hook', { method: 'POST', body: '{}', headers })
  const { status } = await createFetchHandler({ secret, onEvent: () => shown })(request)
  console.log(JSON.stringify([error.status, status, 'operator' in guest, (await guest.health.live()).status]))
}
void main()
`

describe('consumers with other module systems', () => {
  const runConsumer = async (file: string) =>
    JSON.parse((await run(process.execPath, [file, server.url], { cwd: client.folder })).stdout)

  test('a CommonJS program compiles and runs without loading ES modules', async () => {
    writeFileSync(join(client.folder, 'consumer.cts'), CONSUMER)
    expect(await compile('typescript', { module: 'nodenext' }, ['consumer.cts'])).toBe('')
    const { stdout } = await run(
      process.execPath,
      ['--no-experimental-require-module', 'out/consumer.cjs', server.url],
      {
        cwd: client.folder,
      },
    )
    expect(JSON.parse(stdout)).toEqual([401, 204, false, 'ok'])
  })

  test('a program with moduleResolution node compiles, and runs as CommonJS', async () => {
    mkdirSync(join(client.folder, 'classic'), { recursive: true })
    writeFileSync(join(client.folder, 'classic/package.json'), '{ "type": "commonjs" }')
    writeFileSync(join(client.folder, 'classic/consumer.ts'), CONSUMER)
    const options = {
      module: 'commonjs',
      moduleResolution: 'node10',
      ignoreDeprecations: '6.0',
      rootDir: 'classic',
      outDir: 'classic/out',
    }
    expect(await compile('typescript-6', options, ['classic/consumer.ts'])).toBe('')
    expect(await runConsumer('classic/out/consumer.js')).toEqual([401, 204, false, 'ok'])
  })

  test('a bundler’s program compiles', async () => {
    writeFileSync(join(client.folder, 'bundled.ts'), CONSUMER)
    expect(await compile('typescript', { module: 'es2022', moduleResolution: 'bundler' }, ['bundled.ts'])).toBe('')
  })
})

test('editors show the names of types, and the documentation of voucherFile with its type', () => {
  const file = join(client.folder, 'hover.ts')
  writeFileSync(
    file,
    `import { createClient } from '@serai/client'
const serai = createClient({ baseUrl: '' })
const shown = await serai.search.detail({ search_id: '', property_id: '' })
const [room] = shown.available_rooms
const booking = await serai.booking.show({ booking_id: '' })
const checked = await serai.booking.checkRoom(room!)
const found = await serai.search.create({ destination_id: '', check_in: '', check_out: '', occupancies: [] })
const file = serai.booking.voucherFile
`,
  )
  const options: ts.CompilerOptions = { module: ts.ModuleKind.NodeNext, strict: true, target: ts.ScriptTarget.ES2023 }
  const service = ts.createLanguageService({
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    directoryExists: ts.sys.directoryExists,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(ts.sys.readFile(path) ?? ''),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    getCurrentDirectory: () => client.folder,
  })
  const hover = (text: string) => {
    const info = service.getQuickInfoAtPosition(file, readFileSync(file, 'utf8').indexOf(text))
    return [info?.displayParts, info?.documentation].map((parts) => ts.displayPartsToString(parts)).join('\n')
  }
  expect(hover('shown =')).toBe('const shown: PropertyDetail\n')
  expect(hover('room]')).toMatch(/^const room: Room(Summary)?( \| undefined)?\n/)
  expect(hover('booking =')).toBe('const booking: Booking\n')
  expect(hover('checked =')).toBe('const checked: PriceCheck\n')
  expect(hover('found =')).toBe('const found: Search\n')
  expect(hover('voucherFile')).toMatch(/type: VoucherType;?[\s\S]*Promise<Blob>[\s\S]*as PDF or as a page/)
})
