/** Strict enough to catch slips, loose enough for every address that mail is delivered to. */
export const EMAIL = /^[^\s@"<>()]{1,64}@[^\s@"<>()]{1,180}\.[^\s@"<>().]{2,63}$/
