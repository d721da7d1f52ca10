import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { getPreferences } from './browser/preferences.ts'
import { LanguageProvider, loadMessages } from './i18n/i18n.tsx'
import { preloadPage } from './load-pages.ts'
import './styles.css'

const client = createQueryClient()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const renderPage = () =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <LanguageProvider>
          <App />
        </LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  )

// Not a top-level await, which would deadlock: the pages import this file. Code that fails to load is reported when it
// is used.
Promise.all([loadMessages(getPreferences().locale), preloadPage(location.pathname)]).then(renderPage, renderPage)
