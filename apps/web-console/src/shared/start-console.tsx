import 'virtual:theme.css'
import './theme/mantine.css'
import './theme/ground.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { type Bundle, BundleContext } from './bundle.ts'
import { Announcer } from './feedback/announcer.tsx'
import { CrashGuard } from './feedback/crash-guard.tsx'
import { startI18n } from './i18n/start-i18n.ts'
import { colorSchemeManager } from './theme/color-scheme.ts'
import { theme } from './theme/theme.ts'

/** Starts a bundle: renders its page, with its texts, inside the providers that all bundles share. */
export function startConsole(page: ReactNode, texts: Parameters<typeof startI18n>[0], bundle?: Bundle): void {
  const i18n = startI18n(texts)
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <Look>
          <QueryClientProvider client={queryClient()}>
            <CrashGuard>
              <Announcer>{bundle ? <BundleContext value={bundle}>{page}</BundleContext> : page}</Announcer>
            </CrashGuard>
          </QueryClientProvider>
        </Look>
      </I18nextProvider>
    </StrictMode>,
  )
}

/** Mantine without inline `<style>` elements: the content policy forbids them; `virtual:theme.css` has the same. */
function Look({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}

// `always`: the servers are on this machine or in this network, so the browser's offline state says nothing about them.
const queryClient = () =>
  new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: true } } })
