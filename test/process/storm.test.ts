import { describe } from 'vitest'
import { describeStorm } from '../support/servers/booking-storm.ts'

describe('two servers on one SQLite database', () => describeStorm())
