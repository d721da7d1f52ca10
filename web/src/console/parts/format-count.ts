/** "1 call", "2,000 calls". */
export const formatCount = (count: number, word: string): string =>
  `${count.toLocaleString('en-GB')} ${word}${count === 1 ? '' : 's'}`
