import { ReadingThreads } from '../../../src/vendors/transport/reading-threads.ts'

/**
 * One pair of reading threads per test process, because starting a pair takes half a second of CPU time.
 * They end with the process.
 */
export const sharedThreads = new ReadingThreads()
