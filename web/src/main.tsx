import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiProblem } from './api/problem.ts'
import { App } from './app.tsx'
import { LanguageProvider, loadMessages } from './i18n/i18n.tsx'
import { applyTheme, preferences } from './state/preferences.ts'
import { startRouter } from './state/router.ts'
import { pageConfig } from './state/session.ts'
import './styles.css'

const RETRIES = 2

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Retry only when there was no answer: a refused request would be refused again.
      retry: (count, error) =>
        error instanceof ApiProblem && (error.status === 0 || error.status === 503) && count < RETRIES,
      refetchOnWindowFocus: false,
      staleTime: 30_000,
    },
  },
})

applyTheme()
startRouter()
// What a link to results or a property needs is on its way while the rest of the page is put together.
const ignore = () => undefined
pageConfig().catch(ignore)
if (location.pathname === '/search') import('./pages/results.tsx').catch(ignore)
if (location.pathname.startsWith('/property/')) import('./pages/property.tsx').catch(ignore)
await loadMessages(preferences().locale)

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
