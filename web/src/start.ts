import { applyTheme } from './browser/preferences.ts'
import { startRouter } from './browser/router.ts'
import { startLinkedSearch } from './search/linked-search.ts'
import { loadPageConfig } from './session/session.ts'

// Built as a separate file that runs while the rest of the page is loading.
applyTheme()
startRouter()
// A failed load is repeated and reported when the settings are used.
loadPageConfig().catch(() => undefined)
if (location.pathname === '/search') startLinkedSearch(new URLSearchParams(location.search))
