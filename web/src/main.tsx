import '@fontsource-variable/inter/wght.css'
import './kit/styles.ts'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiFailure, base, onSignedOut, readSession } from './api/client.ts'
import { SessionProvider } from './api/session.tsx'
import { CannotStart } from './frame/CannotStart.tsx'
import { ConfirmProvider } from './kit/Dialog.tsx'
import { TipLayer } from './kit/TipLayer.tsx'
import { ToastsProvider } from './kit/Toasts.tsx'
import { theme } from './kit/theme.ts'
import { router } from './routes.tsx'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refuses it refuses again; a lost connection is told, and asked again when it is back.
      retry: (failures, error) => !(error instanceof ApiFailure) && failures < 2,
      staleTime: 10_000,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** The same place in which `theme.js` looks before the first paint. */
const colorSchemes = localStorageColorSchemeManager({ key: 'holdfast-theme' })

function toSignIn(): void {
  const here = location.pathname + location.search
  location.assign(`${base}/sign-in?next=${encodeURIComponent(here)}`)
}

async function start(root: HTMLElement): Promise<void> {
  const session = await readSession().catch((error: unknown) => error)
  if (session === undefined) {
    toSignIn()
    return
  }
  const isFailed = session instanceof Error
  onSignedOut(() => queries.setQueryData(['signed-out'], true))
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemes}
        withCssVariables={false}
        withGlobalClasses={false}
      >
        {isFailed ? (
          <CannotStart error={session} />
        ) : (
          <QueryClientProvider client={queries}>
            <SessionProvider session={session as never}>
              <ToastsProvider>
                <ConfirmProvider>
                  <RouterProvider router={router} />
                  <TipLayer />
                </ConfirmProvider>
              </ToastsProvider>
            </SessionProvider>
          </QueryClientProvider>
        )}
      </MantineProvider>
    </StrictMode>,
  )
}

const root = document.getElementById('root')
if (root) start(root)
