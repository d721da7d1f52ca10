/** Words with two common spellings. */
export const OTHER_SPELLING = new Map(
  Object.entries({
    st: 'saint',
    saint: 'st',
    ste: 'sainte',
    sainte: 'ste',
    sankt: 'st',
    mt: 'mount',
    mount: 'mt',
    ft: 'fort',
    koh: 'ko',
    ko: 'koh',
    and: 'und',
  }),
)
