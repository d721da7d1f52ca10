import { ReadingThreads } from '../../../src/vendors/transport/reading-threads.ts'

/**
 * One pair of reading threads for all apps and vendors of a test process: to start a pair takes half a second of processor time, and
 * hundreds would be started. They end with the process.
 */
export const sharedThreads = new ReadingThreads()
