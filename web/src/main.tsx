import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { applyTheme, preferences } from './browser/preferences.ts'
import { startRouter } from './browser/router.ts'
import { LanguageProvider, loadMessages } from './i18n/i18n.tsx'
import { preloadPage } from './load-pages.ts'
import { startLinkedSearch } from './search/linked-search.ts'
import { pageConfig } from './session/session.ts'
import './styles.css'

applyTheme()
startRouter()
// Starts loading what the address needs before the first render; code that does not load is reported where it is shown.
const ignore = () => undefined
pageConfig().catch(ignore)
if (location.pathname === '/search') startLinkedSearch(new URLSearchParams(location.search))
await Promise.all([loadMessages(preferences().locale), preloadPage(location.pathname).catch(ignore)])

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
