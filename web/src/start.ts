import { applyTheme } from './browser/preferences.ts'
import { startRouter } from './browser/router.ts'
import { startLinkedSearch } from './search/linked-search.ts'
import { loadPageConfig } from './session/session.ts'

// Built as a separate file that runs before the browser compiles the rest of the page.
applyTheme()
startRouter()
// A failed load is repeated and reported when the settings are used.
loadPageConfig().catch(() => undefined)
if (location.pathname === '/search') startLinkedSearch(new URLSearchParams(location.search))
void import('./main.tsx')
