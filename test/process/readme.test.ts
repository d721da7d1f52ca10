import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/servers/postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
const README = readFileSync('README.md', 'utf8')
const TUTORIAL = readFileSync('docs/tutorial.md', 'utf8')

let folder: string
let port: number
let server: ChildProcess
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serai-readme-'))
  port = await freePort()
  server = spawn(process.execPath, [join(ROOT, 'src/cli/serai.ts'), 'dev'], {
    // The content job has its own tests.
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: String(port),
      SERAI_DATA_DIR: join(folder, 'data'),
      SERAI_CONTENT_JOB: 'off',
    },
    stdio: 'ignore',
  })
  await waitUntilReady(`http://127.0.0.1:${port}/readyz`)
})
afterAll(async () => {
  const gone = new Promise((done) => server.once('exit', done))
  server.kill('SIGTERM')
  await gone
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the commands of a document on our port instead of the documented one. */
async function run(commands: string): Promise<string> {
  const cleanUp = "trap 'jobs -p | xargs -r kill' EXIT"
  const script = `set -eu\n${cleanUp}\n${commands.replace('http://127.0.0.1:4000', `http://127.0.0.1:${port}`)}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, timeout: 60_000 })
  return stdout
}

const blocksIn = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code)

test('the five calls of the README end in a confirmed booking', async () => {
  const [, tested = ''] = README.split('runs this block against a fresh server -->')
  const [calls = ''] = blocksIn(tested, 'sh')
  expect(calls).toContain('accommodation/book')
  expect(JSON.parse(await run(calls)).data).toMatchObject({ status: 'confirmed', nights: 2 })
})

test('the commands of the tutorial print a booking, its webhook event, a booking in doubt and a cancellation', async () => {
  const receiverPort = String(await freePort())
  const [receiver = ''] = blocksIn(TUTORIAL, 'js')
  writeFileSync(join(folder, 'receiver.mjs'), receiver.replace('3000', receiverPort))
  const printed = await run(blocksIn(TUTORIAL, 'sh').join('\n').replace(':3000', `:${receiverPort}`))
  const [received, booked, doubt, fee, cancelled] = printed.trim().split('\n')
  expect([received, booked, doubt, cancelled]).toEqual([
    'received booking.confirmed',
    'confirmed',
    'in_doubt',
    'cancelled',
  ])
  expect(Number(fee)).toBeGreaterThanOrEqual(0)
})

test('every document that the README links to exists', () => {
  const links = [...README.matchAll(/\]\(((?:docs|[A-Z])[^)#]*)\)/g)].map((match) => match[1] ?? '')
  expect(links.length).toBeGreaterThan(15)
  for (const link of links) expect(() => readFileSync(join(ROOT, link), { flag: 'r' }), link).not.toThrow(/ENOENT/)
})

async function waitUntilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((later) => setTimeout(later, 100))
  }
  throw new Error('the server did not become ready within 30 s')
}
