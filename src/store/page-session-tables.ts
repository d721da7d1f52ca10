/** `owner_id`: an account, or a guest who has none. */
export type PageSessionRow = {
  hash: string
  owner_id: string
  is_guest: number
  created_at: number
  expires_at: number
}

/** Whose searches, offers and bookings a guest's have become. */
export type GuestTakeoverRow = { guest_id: string; account_id: string; taken_at: number }
