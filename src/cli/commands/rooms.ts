import type { Catalogue } from '../../catalogue/catalogue.ts'
import { runOrder } from '../audited.ts'
import { type Command, plain, print } from '../command.ts'
import { type Order, readVerb } from '../read-verb.ts'
import { withApp } from '../with-app.ts'

type Deps = { readonly rooms: Catalogue['rooms'] }

const USAGE = `serai rooms explain PROPERTY_ID                      shows which vendors' rooms are one room type, and why
serai rooms split PROPERTY_ID VENDOR_ID ROOM_ID      gives one vendor's room a room type of its own
serai rooms join PROPERTY_ID ROOM_TYPE_ID OTHER_ID   joins two room types; the first keeps its id

Decisions are kept when vendors change their content.`

const VERBS = {
  explain: 'PROPERTY_ID',
  split: 'PROPERTY_ID VENDOR_ID ROOM_ID',
  join: 'PROPERTY_ID ROOM_TYPE_ID OTHER_ID',
}

export const rooms: Command = {
  usage: USAGE,
  async run(args) {
    const order = readRooms(args)
    return withApp(({ operator: { audit, catalogue } }) =>
      runOrder(audit, 'rooms', ['split', 'join'], order, { rooms: catalogue.rooms }),
    )
  },
}

export function readRooms(args: string[]): Order<Deps> {
  const { verb, words } = readVerb(args, VERBS, {})
  const [id = '', second = '', third = ''] = words
  const works: Record<typeof verb, Order<Deps>['work']> = {
    explain: async ({ rooms }) => explain(await rooms.explain(id), id),
    async split({ rooms }) {
      const split = await rooms.split(id, { vendorId: second, roomKey: third })
      return split.ok ? print(`${second}:${third} now has the room type ${split.roomTypeId}.`, 0) : print(split.why, 1)
    },
    async join({ rooms }) {
      const joined = await rooms.join(id, second, third)
      return joined.ok ? print(`${third} is now part of ${joined.roomTypeId}.`, 0) : print(joined.why, 1)
    },
  }
  return { verb, words, work: works[verb] }
}

type Explained = Awaited<ReturnType<Catalogue['rooms']['explain']>>

function explain(found: Explained, propertyId: string): number {
  if (found === undefined) return print(`There is no property ${plain(propertyId)}.`, 1)
  if (found.length === 0) console.log(`${propertyId} has no rooms in its content.`)
  for (const { type, rooms } of found) {
    console.log(`${type.roomTypeId}  "${type.name}"`)
    for (const { vendorId, roomKey, name, beds } of rooms)
      console.log(`    ${vendorId} ${roomKey}  "${name}"${beds.length === 0 ? '' : `  [${beds.join(', ')}]`}`)
    if (type.matchedBy.length > 0) console.log(`    matched by ${type.matchedBy.join(', ')}`)
    if (type.keptSeparateBy.length > 0)
      console.log(`    differs from the most similar room in ${type.keptSeparateBy.join(', ')}`)
  }
  return 0
}
