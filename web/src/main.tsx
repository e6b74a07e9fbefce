import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './kit/tokens.css'
import './kit/base.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiFailure, base, onSignedOut, readSession } from './api/client.ts'
import { SessionProvider } from './api/session.tsx'
import { ConfirmProvider } from './kit/Dialog.tsx'
import { TipLayer } from './kit/TipLayer.tsx'
import { ToastsProvider } from './kit/Toasts.tsx'
import { followTheme } from './kit/theming.ts'
import { router } from './routes.tsx'

// Hardly ever needed, so it is loaded only then.
const CannotStart = lazy(async () => ({ default: (await import('./frame/CannotStart.tsx')).CannotStart }))

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
  followTheme()
  onSignedOut(() => queries.setQueryData(['signed-out'], true))
  createRoot(root).render(
    <StrictMode>
      {isFailed ? (
        <Suspense>
          <CannotStart error={session} />
        </Suspense>
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
    </StrictMode>,
  )
}

const root = document.getElementById('root')
if (root) start(root)
