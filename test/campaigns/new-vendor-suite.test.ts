import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const HERE = join(import.meta.dirname, '../..')

const LEFT_OUT = ['node_modules', '.git', '.data', '.runtime', 'dist']

/** Files whose tests depend most on the registered vendors or their stand-ins. */
const AFFECTED = [
  'test/docs.test.ts',
  'test/words.test.ts',
  'test/contract/listed-twice.test.ts',
  'test/unit/config.test.ts',
  'test/unit/sandbox',
  'test/unit/vendors/registry.test.ts',
  'test/app/booking/amounts.test.ts',
  'test/app/booking/price-check.test.ts',
  'test/app/operator/bookings.test.ts',
  'test/app/operator/vendors.test.ts',
  'test/app/search/conditions.test.ts',
  'test/app/search/languages.test.ts',
  'test/app/search/notices.test.ts',
  'test/app/search/search.test.ts',
]

/** Slower files of the same kind: in `npm run chaos -- new-vendor`. */
const ALSO_AFFECTED = [
  'test/app/booking/after-booking.test.ts',
  'test/app/booking/bookings.test.ts',
  'test/app/mail/mail.test.ts',
  'test/app/search/detail.test.ts',
  'test/app/search/search-faults.test.ts',
  'test/app/search/stream.test.ts',
  'test/process/client/serai-api.test.ts',
  'test/process/sandbox.test.ts',
]

test('after `npm run new-vendor` the tests of other folders still pass', () => {
  const root = mkdtempSync(join(tmpdir(), 'serai-new-vendor-suite-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const name of readdirSync(HERE).filter((name) => !LEFT_OUT.includes(name)))
    cpSync(join(HERE, name), join(root, name), {
      recursive: true,
      filter: (source) => !LEFT_OUT.includes(source.split('/').at(-1) ?? ''),
    })
  symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'))
  const created = spawnSync(process.execPath, ['scripts/new-vendor.ts', 'acme_travel'], { cwd: root, encoding: 'utf8' })
  expect(`${created.status} ${created.stderr}`).toBe('0 ')
  const projects = ['structure', 'unit', 'contract', 'app', 'process'].flatMap((name) => ['--project', name])
  // Some of them measure time, which a busy machine disturbs; a clash with the new vendor fails each time.
  const files = process.env.SERAI_CHAOS_WHOLE === 'true' ? [...AFFECTED, ...ALSO_AFFECTED] : AFFECTED
  const options = ['run', '--maxWorkers=1', '--retry=2', ...projects, ...files]
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const ended = spawnSync(process.execPath, [vitest, ...options], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  const output = `${ended.stdout}${ended.stderr}`
  expect(output.split('\n').filter((line) => /^ *FAIL |Test Files .*failed/.test(line))).toEqual([])
  expect(ended.status, output.slice(-2_000)).toBe(0)
}, 1_800_000)
