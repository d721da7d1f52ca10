import type { Database } from '../../store/database.ts'
import { createCatalogueStore } from './catalogue.ts'
import { createContentJobStore } from './content-jobs.ts'
import { createContentProgressStore } from './content-progress.ts'
import { createMatchListStore } from './match-lists.ts'
import { createMatchProgressStore } from './match-progress.ts'
import { createPropertyTextsStore } from './property-texts.ts'
import { createRateRemarksStore } from './rate-remarks.ts'
import { createRoomTypeStore } from './room-types.ts'

export const createCatalogueStores = (database: Database) => ({
  store: createCatalogueStore(database),
  progress: createContentProgressStore(database),
  jobs: createContentJobStore(database),
  matchProgress: createMatchProgressStore(database),
  remarksStore: createRateRemarksStore(database),
  textsStore: createPropertyTextsStore(database),
  roomTypes: createRoomTypeStore(database),
  matchLists: createMatchListStore(database),
})
