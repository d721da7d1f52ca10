/** A vendor's room and the room type of the property it belongs to, with what it was judged by. */
export type RoomTypeMemberRow = {
  property_id: string
  vendor_id: string
  room_key: string
  room_type_id: string
  name: string
  /** A list as JSON. */
  beds: string
  square_meters: number
  /** Version of the rules. */
  rules: number
  decided_at: number
}

/** An operator's decision on two rooms of a property (`vendor_id:room_key`, a before b). */
export type RoomPinRow = PinRow & { property_id: string }

/** An operator's decision that two things are the same, or that they are not. */
export type PinRow = {
  a: string
  b: string
  kind: 'split' | 'join'
  decided_at: number
  /** Who decided, and why; null by the command line. */
  decided_by?: string | null | undefined
  reason?: string | null | undefined
}
