import { expect, test } from 'vitest'
import type { Detail, Room } from '../../../web/src/api/shapes.ts'
import {
  findFirstOffer,
  findOtherVendors,
  groupRoomOffers,
  isWantedRoom,
} from '../../../web/src/property/room-groups.ts'

const room = (vendor_id: string, total_inclusive: number, board: string, cancelation: string) =>
  ({
    vendor_id,
    total_inclusive,
    board,
    cancel_policy: { cancelation },
    images: [],
    description: '',
    size: { square_meters: 0 },
  }) as unknown as Room

const type = (room_type_id: string, rooms: number[]) =>
  ({ room_type_id, rooms }) as unknown as Detail['room_types'][number]

test('a room has one row for each board and cancellation, with the best price and the other vendors', () => {
  const detail = {
    available_rooms: [
      room('beta', 100, 'room_only', 'none'),
      room('alpha', 110, 'room_only', 'none'),
      room('beta', 115, 'room_only', 'none'),
      room('alpha', 120, 'room_only', 'free'),
      room('alpha', 130, 'breakfast', 'free'),
      room('alpha', 200, 'room_only', 'free'),
    ],
    room_types: [type('rmt_1', [0, 1, 2, 3, 4]), type('rmt_2', [5]), type('rmt_3', [])],
  } as unknown as Detail
  const groups = groupRoomOffers(detail)
  expect(groups.map(({ key }) => key)).toEqual(['rmt_1', 'rmt_2'])
  const [first] = groups
  expect(first?.rates.map(({ best, others }) => [best.vendor_id, best.total_inclusive, others.length])).toEqual([
    ['beta', 100, 2],
    ['alpha', 120, 0],
    ['alpha', 130, 0],
  ])
  expect(
    first?.rates
      .slice(0, 1)
      .flatMap(findOtherVendors)
      .map(({ vendor_id }) => vendor_id),
  ).toEqual(['alpha'])
})

test('rooms that meet the conditions of the search are grouped apart, cheapest first, and the first has the price of the list', () => {
  const failing = { meets_conditions: false }
  const passing = { meets_conditions: true }
  const detail = {
    available_rooms: [
      { ...room('beta', 100, 'room_only', 'none'), ...failing },
      { ...room('beta', 110, 'room_only', 'none'), ...failing },
      { ...room('alpha', 130, 'breakfast', 'free'), ...passing },
      { ...room('alpha', 150, 'breakfast', 'free'), ...passing },
    ],
    room_types: [type('rmt_1', [0, 3]), type('rmt_2', [2]), type('rmt_3', [1])],
  } as unknown as Detail
  const list = (isWanted: (each: Room) => boolean) =>
    groupRoomOffers(detail, isWanted).map(({ key, rates }) => [key, rates[0]?.best.total_inclusive])
  expect(list(isWantedRoom)).toEqual([
    ['rmt_2', 130],
    ['rmt_1', 150],
  ])
  expect(list((each) => !isWantedRoom(each))).toEqual([
    ['rmt_1', 100],
    ['rmt_3', 110],
  ])
  expect(findFirstOffer(detail)?.total_inclusive).toBe(130)
  const none = { ...detail, available_rooms: detail.available_rooms.map((each) => ({ ...each, ...failing })) }
  expect(findFirstOffer(none)?.total_inclusive).toBe(100)
})
