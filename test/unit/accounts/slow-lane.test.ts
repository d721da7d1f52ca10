import { expect, test } from 'vitest'
import { createSlowLane } from '../../../src/accounts/slow-lane.ts'

test('attempts from many addresses do not keep the owner of an account out', async () => {
  const lane = createSlowLane(1)
  let isOver = false
  const attack = async (address: number): Promise<void> => {
    while (!isOver) if (!(await lane.enter('account', `attacker ${address}`))) await new Promise(setImmediate)
  }
  const attackers = Array.from({ length: 60 }, (_, address) => attack(address))
  const owner = await lane.enter('account', 'owner')
  isOver = true
  await Promise.all(attackers)
  expect(owner).toBe(true)
}, 20_000)

test('an address has one place, so that more attempts from it are refused', async () => {
  const lane = createSlowLane(1)
  const first = lane.enter('account', 'one')
  expect(await lane.enter('account', 'one')).toBe(false)
  expect(await first).toBe(true)
  expect(await lane.enter('account', 'one')).toBe(true)
})

test('a full lane gives a random place to the new address instead of refusing it', async () => {
  const lane = createSlowLane(1, () => 0)
  const waiting = Array.from({ length: 200 }, (_, address) => lane.enter('account', `attacker ${address}`))
  const owner = lane.enter('account', 'owner')
  expect(await waiting[0]).toBe(false)
  expect(await owner).toBe(true)
}, 20_000)
