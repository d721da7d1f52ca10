/** Invented and unmistakable names, so that the dossier can be redacted. */
export const GUESTS = [
  { given_name: 'Zebedee', family_name: 'Quackenbush' },
  { given_name: 'Philippa', family_name: 'Umberleigh' },
] as const
export const CONTACT = {
  email: 'zebedee.quackenbush@example.com',
  phone: '+44 20 7946 0958',
  ip: '203.0.113.77',
} as const
/** The account that books; the guests are other people. */
export const HOLDER = { name: 'Certification Account', email: 'certification@example.com' } as const
