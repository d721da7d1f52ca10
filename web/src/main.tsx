import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { applyTheme, getPreferences } from './browser/preferences.ts'
import { startRouter } from './browser/router.ts'
import { LanguageProvider, loadMessages } from './i18n/i18n.tsx'
import { preloadPage } from './load-pages.ts'
import { startLinkedSearch } from './search/linked-search.ts'
import { loadPageConfig } from './session/session.ts'
import './styles.css'

applyTheme()
startRouter()
// Starts loading before the first render; code that fails to load is reported when it is used.
const ignore = () => undefined
loadPageConfig().catch(ignore)
if (location.pathname === '/search') startLinkedSearch(new URLSearchParams(location.search))
await Promise.all([loadMessages(getPreferences().locale), preloadPage(location.pathname).catch(ignore)])

const client = createQueryClient()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <LanguageProvider>
        <App />
      </LanguageProvider>
    </QueryClientProvider>
  </StrictMode>,
)
