import type { Catalogue } from '../catalogue/catalogue.ts'
import { auditVerbs } from './audited.ts'
import type { Command } from './command.ts'
import { withApp } from './with-app.ts'

type Deps = { readonly rooms: Catalogue['rooms']; out(line: string): void }

const USAGE = `serai rooms explain PROPERTY_ID                      shows which vendors' rooms are one room type, and why
serai rooms split PROPERTY_ID VENDOR_ID ROOM_ID      gives one vendor's room a room type of its own
serai rooms join PROPERTY_ID ROOM_TYPE_ID OTHER_ID   joins two room types; the first keeps its id

Decisions are kept when vendors change their content.`

export const rooms: Command = {
  usage: USAGE,
  run: (args) =>
    withApp((app) =>
      auditVerbs(app.operator.audit, 'rooms', ['split', 'join'], args, () =>
        roomsCommand(args, { rooms: app.operator.catalogue.rooms, out: console.log }),
      ),
    ),
}

/** Returns the exit code: 0 done, 1 not possible, 2 wrong arguments. */
export async function roomsCommand(args: string[], { rooms, out }: Deps): Promise<number> {
  const [verb, propertyId, second, third, ...more] = args
  if (propertyId !== undefined && more.length === 0) {
    if (verb === 'explain' && second === undefined) return explain(await rooms.explain(propertyId), propertyId, out)
    if (verb === 'split' && second !== undefined && third !== undefined) {
      const split = await rooms.split(propertyId, { vendorId: second, roomKey: third })
      return say(split.ok ? `${second}:${third} now has the room type ${split.roomTypeId}.` : split.why, split.ok)
    }
    if (verb === 'join' && second !== undefined && third !== undefined) {
      const joined = await rooms.join(propertyId, second, third)
      return say(joined.ok ? `${third} is now part of ${joined.roomTypeId}.` : joined.why, joined.ok)
    }
  }
  out(USAGE)
  return 2

  function say(line: string, ok: boolean): number {
    out(line)
    return ok ? 0 : 1
  }
}

type Explained = Awaited<ReturnType<Catalogue['rooms']['explain']>>

function explain(found: Explained, propertyId: string, out: (line: string) => void): number {
  if (found === undefined) {
    out(`There is no property ${propertyId}.`)
    return 1
  }
  if (found.length === 0) out(`${propertyId} has no rooms in its content.`)
  for (const { type, rooms } of found) {
    out(`${type.roomTypeId}  "${type.name}"`)
    for (const { vendorId, roomKey, name, beds } of rooms)
      out(`    ${vendorId} ${roomKey}  "${name}"${beds.length === 0 ? '' : `  [${beds.join(', ')}]`}`)
    if (type.matchedBy.length > 0) out(`    matched by ${type.matchedBy.join(', ')}`)
    if (type.keptSeparateBy.length > 0)
      out(`    differs from the most similar room in ${type.keptSeparateBy.join(', ')}`)
  }
  return 0
}
