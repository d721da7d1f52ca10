import { MutationObserver, notifyManager, onlineManager } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ApiProblem } from '../../../web/src/api/problem.ts'
import { createQueryClient } from '../../../web/src/api/query-client.ts'

test('without a connection, an action fails immediately and is not run later', async () => {
  const client = createQueryClient()
  client.mount()
  onTestFinished(() => {
    onlineManager.setOnline(true)
    client.unmount()
  })
  onlineManager.setOnline(false)
  const cancelBooking = vi.fn(() => Promise.reject(new ApiProblem(0, { code: 'unreachable' })))
  const action = new MutationObserver(client, { mutationFn: cancelBooking })
  const outcome = action.mutate().catch((error) => error.code)
  const stillWaiting = new Promise((resolve) => setTimeout(resolve, 100, 'still waiting'))
  expect(await Promise.race([outcome, stillWaiting])).toBe('unreachable')
  onlineManager.setOnline(true)
  await client.resumePausedMutations()
  expect(cancelBooking).toHaveBeenCalledTimes(1)
})

test('without a connection, a page fails immediately instead of loading', async () => {
  const client = createQueryClient()
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  const read = vi.fn(() => Promise.reject(new ApiProblem(404, { code: 'booking_not_found' })))
  const found = client.fetchQuery({ queryKey: ['booking'], queryFn: read }).catch((error) => error.code)
  const stillWaiting = new Promise((resolve) => setTimeout(resolve, 100, 'still waiting'))
  expect(await Promise.race([found, stillWaiting])).toBe('booking_not_found')
})

test('a running action is known before a second click can arrive', async () => {
  const book = vi.fn(() => new Promise<void>(() => undefined))
  const action = new MutationObserver(createQueryClient(), { mutationFn: book })
  let isPending = false
  // Subscribes as a page does.
  const unsubscribe = action.subscribe(
    notifyManager.batchCalls((result) => {
      isPending = result.isPending
    }),
  )
  onTestFinished(unsubscribe)
  void action.mutate()
  // User events cannot occur between microtasks.
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  expect(isPending).toBe(true)
})
