import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import {
  claimTask,
  claimTasks,
  convertTask,
  deleteTask,
  dueKeys,
  extendTask,
  finishTask,
  type NewTask,
  postponeTask,
  putTask,
  readTask,
  replaceTask,
  type Task,
  type TaskClaim,
} from '../../src/store/tasks.ts'
import { onBothDatabases } from '../support/store/databases.ts'

const LEASE = 30_000
const T0 = 1_800_000_000_000

onBothDatabases('tasks', (open) => {
  beforeEach(async () => {
    await open().write((tx) => tx.deleteFrom('tasks').execute())
  })

  const task = (subject: string, more: Partial<NewTask> = {}): NewTask => ({
    kind: 'mail',
    subject,
    dueAt: T0,
    ...more,
  })
  const put = (...tasks: NewTask[]) =>
    open().write(async (tx) => {
      for (const entry of tasks) await putTask(tx, entry)
    })
  const claim = (now = T0, more: Partial<TaskClaim> = {}) =>
    open().write((tx) => claimTasks(tx, { kind: 'mail', now, leaseMs: LEASE, ...more }))
  const claimOne = async (now = T0) => (await claim(now))[0] ?? expect.fail('nothing is due')
  const finish = (held: Task) => open().write((tx) => finishTask(tx, held))
  const postpone = (held: Task, dueAt: number, failed = false) =>
    open().write((tx) => postponeTask(tx, held, dueAt, { failed }))
  const stored = (subject = 'a') => readTask(open().read, { kind: 'mail', subject })
  const listSubjects = (tasks: readonly Task[]) => tasks.map(({ subject }) => subject)

  test('each task is claimed by one process, and by another one after the lease has expired', async () => {
    await put(...Array.from({ length: 12 }, (_, n) => task(`s${n}`)), { ...task('other'), kind: 'settle' })
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(T0, { most: 3 })))
    const all = [...claims.flat(), ...(await claim())]
    expect(new Set(listSubjects(all)).size).toBe(12)
    expect(all).toHaveLength(12)
    expect(await claim(T0 + LEASE - 1)).toEqual([])
    expect((await claim(T0 + LEASE)).map(({ attempts }) => attempts)).toEqual(Array.from({ length: 12 }, () => 2))
  })

  test('a process that has lost its lease to another changes nothing', async () => {
    await put(task('a'))
    const late = await claimOne()
    const current = await claimOne(T0 + LEASE)
    expect(await finish(late)).toBe(false)
    expect(await postpone(late, T0)).toBe(false)
    expect(await open().write((tx) => extendTask(tx, late, T0 + 9 * LEASE))).toBeUndefined()
    expect(await claim(T0 + LEASE)).toEqual([])
    expect(await finish(current)).toBe(true)
    expect(await stored()).toBeUndefined()
  })

  test('an old lease is not valid for a task that was finished and created again', async () => {
    await put(task('a'))
    const late = await claimOne()
    await finish(await claimOne(T0 + LEASE))
    await put(task('a', { dueAt: T0 + LEASE }))
    const current = await claimOne(T0 + LEASE + 1)
    expect(await finish(late)).toBe(false)
    expect(await finish(current)).toBe(true)
  })

  test('an extended lease blocks other processes until it expires', async () => {
    await put(task('a'))
    const claimed = await claimOne()
    const held = await open().write((tx) => extendTask(tx, claimed, T0 + 2 * LEASE))
    expect(await claim(T0 + 2 * LEASE - 1)).toEqual([])
    expect(await finish(held ?? expect.fail('lost'))).toBe(true)
  })

  test('a task that is put while it is running runs once more, after success or failure', async () => {
    await put(task('a'))
    const first = await claimOne()
    await put(task('a', { dueAt: T0 }))
    expect(await claim(T0 + 1)).toEqual([])
    expect(await finish(first)).toBe(true)
    const second = await claimOne(T0 + 1)
    await put(task('a', { dueAt: T0 + 1 }))
    await postpone(second, T0 + 9 * LEASE, true)
    const third = await claimOne(T0 + 2)
    expect(third).toMatchObject({ failures: 1, attempts: 3 })
    await finish(third)
    expect(await stored()).toBeUndefined()
  })

  test('a concurrent put and finish of a task are both effective', async () => {
    for (let n = 0; n < 20; n += 1) {
      await put(task('a'))
      const held = await claimOne(T0 + n)
      await Promise.all([finish(held), put(task('a', { dueAt: T0 + n }))])
      await finish(await claimOne(T0 + n))
    }
    expect(await stored()).toBeUndefined()
  })

  test('putting a task only makes it due earlier, claiming keeps its due time, and replacing resets it', async () => {
    await put(task('a'), task('a', { dueAt: T0 + 5 }), task('a', { dueAt: T0 - 5 }))
    expect(await stored()).toMatchObject({ due_at: T0 - 5 })
    const claimA = (now: number) => open().write((tx) => claimTask(tx, { kind: 'mail', subject: 'a' }, now, LEASE))
    expect(await claimA(T0 - 6)).toBeUndefined()
    expect(await stored()).toMatchObject({ due_at: T0 - 5 })
    const held = await claimOne()
    await open().write((tx) => replaceTask(tx, task('a', { dueAt: T0 + 7 })))
    expect(await finish(held)).toBe(false)
    expect(await stored()).toMatchObject({ due_at: T0 + 7, lease_until: 0, attempts: 0, failures: 0 })
    await open().write((tx) => deleteTask(tx, { kind: 'mail', subject: 'a' }))
    expect(await stored()).toBeUndefined()
    expect(await claimA(T0)).toMatchObject({ subject: 'a', attempts: 1 })
  })

  test('a task that replaces one of another kind is reset, even if there was none', async () => {
    await put({ ...task('a'), kind: 'settle' })
    const settling = await open().write((tx) => claimTasks(tx, { kind: 'settle', now: T0, leaseMs: LEASE }))
    for (const dueAt of [T0 + 5, T0 + 6]) await open().write((tx) => convertTask(tx, 'settle', task('a', { dueAt })))
    expect(await readTask(open().read, { kind: 'settle', subject: 'a' })).toBeUndefined()
    expect(await stored()).toMatchObject({ due_at: T0 + 6, lease_until: 0, attempts: 0 })
    for (const held of settling) expect(await finish(held)).toBe(false)
  })

  test('a task can be created with a first lease', async () => {
    await open().write((tx) => replaceTask(tx, task('a', { leaseUntil: T0 + 4_000 })))
    expect(await claim(T0 + 3_999)).toEqual([])
    expect(await claim(T0 + 4_000)).toMatchObject([{ attempts: 1, since: T0 }])
  })

  test('the failures of a task add up until an attempt succeeds, and its first due time is kept', async () => {
    await put(task('a'))
    await postpone(await claimOne(), T0 + 10, true)
    await postpone(await claimOne(T0 + 10), T0 + 20, true)
    expect(await stored()).toMatchObject({ failures: 2, attempts: 2, since: T0, due_at: T0 + 20 })
    await postpone(await claimOne(T0 + 20), T0 + 30)
    expect(await stored()).toMatchObject({ failures: 0, since: T0 + 30 })
  })

  test('claims are limited per key and per group of keys, including running tasks', async () => {
    const flood = Array.from({ length: 9 }, (_, n) => task(`flood${n}`, { key: 'acc_1 w1', dueAt: T0 - 100 + n }))
    const more = Array.from({ length: 9 }, (_, n) => task(`more${n}`, { key: `acc_1 v${n}`, dueAt: T0 - 50 + n }))
    await put(...flood, ...more, task('quiet', { key: 'acc_2 w2' }))
    const limits = { most: 5, mostPerKey: 2, mostPerGroup: 3 }
    expect(listSubjects(await claim(T0, limits))).toEqual(['flood0', 'flood1', 'more0'])
    const busy = ['acc_1 w1', 'acc_1 w1', 'acc_1 v0']
    expect(listSubjects(await claim(T0, { ...limits, busy }))).toEqual(['quiet'])
    expect(listSubjects(await claim(T0, { ...limits, busy: busy.slice(0, 2) }))).toEqual(['more1'])
    expect(await dueKeys(open().read, 'mail', T0)).toHaveLength(8)
  })

  test('a claim can be limited to keys, subjects or a condition, and prefers tasks that have waited longest', async () => {
    await put(task('new', { dueAt: T0 - 9 }), task('old', { since: T0 - 1_000 }), task('no', { key: 'k' }))
    expect(listSubjects(await claim(T0, { keys: ['k'] }))).toEqual(['no'])
    expect(await claim(T0, { subjects: ['no'] })).toEqual([])
    expect(listSubjects(await claim(T0, { most: 1, firstSince: T0 - 500 }))).toEqual(['old'])
    expect(await claim(T0, { where: sql<boolean>`key = 'k'` })).toEqual([])
    expect(listSubjects(await claim())).toEqual(['new'])
  })
})
