/** Strict enough to catch typing errors, loose enough for every deliverable address. */
export const EMAIL = /^[^\s@"<>()]{1,64}@[^\s@"<>()]{1,180}\.[^\s@"<>().]{2,63}$/
