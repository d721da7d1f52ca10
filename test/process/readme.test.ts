import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '../support/servers/postgres.ts'

const README = readFileSync('README.md', 'utf8')
const ROOT = join(import.meta.dirname, '../..')

test('the five calls of the README, run as they stand, end in a confirmed booking', async () => {
  const block = /runs this block against a fresh server -->/.exec(README)
  const calls = /```sh\n([\s\S]*?)```/.exec(README.slice(block?.index ?? 0))?.[1] ?? ''
  expect(calls).toContain('accommodation/book')
  const folder = mkdtempSync(join(tmpdir(), 'serai-readme-'))
  const port = await freePort()
  const server = spawn(process.execPath, [join(ROOT, 'src/cli/serai.ts'), 'dev'], {
    // Reading ahead has tests of its own.
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: String(port),
      SERAI_DATA_DIR: join(folder, 'data'),
      SERAI_CONTENT_JOB: 'off',
    },
    stdio: 'ignore',
  })
  try {
    await answering(`http://127.0.0.1:${port}/readyz`)
    const script = `set -eu\n${calls.replace('http://127.0.0.1:4000', `http://127.0.0.1:${port}`)}`
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, timeout: 60_000 })
    expect(JSON.parse(stdout).data).toMatchObject({ status: 'confirmed', nights: 2 })
  } finally {
    const gone = new Promise((done) => server.once('exit', done))
    server.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
})

test('every document the README links to is there', () => {
  const links = [...README.matchAll(/\]\(((?:docs|[A-Z])[^)#]*)\)/g)].map((match) => match[1] ?? '')
  expect(links.length).toBeGreaterThan(15)
  for (const link of links) expect(() => readFileSync(join(ROOT, link), { flag: 'r' }), link).not.toThrow(/ENOENT/)
})

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((later) => setTimeout(later, 100))
  }
  throw new Error('the server did not become ready within 30 s')
}
