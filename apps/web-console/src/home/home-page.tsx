import type { SuiteView } from '@chancela/demo/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnnouncer } from '../shared/feedback/announcer.tsx'
import { FailureBanner, FailurePage } from '../shared/feedback/failure.tsx'
import { Hero } from './frame/hero.tsx'
import { SiteFooter } from './frame/site-footer.tsx'
import { SiteHeader } from './frame/site-header.tsx'
import classes from './home-page.module.css'
import { HomeSkeleton } from './home-skeleton.tsx'
import { IdentitySection } from './identities/identity-section.tsx'
import { LookSection } from './look/look-section.tsx'
import { ServiceSection } from './services/service-section.tsx'
import { useLastLook, useSuite } from './suite/use-suite.ts'
import { useTimeFormat } from './suite/use-time-format.ts'

/** The home page of the demo: what to try first, what to look at, what runs and where. */
export function HomePage() {
  useDocumentTitle()
  const { suite, failure, retry } = useSuite()
  useRecoveryNotice(failure !== null)
  return (
    <>
      <SiteHeader />
      <main id="content" className={classes.main} tabIndex={-1}>
        {suite && failure && <StaleBanner error={failure} onRetry={retry} />}
        <Hero suite={suite} loading={!suite && !failure} />
        {suite && <Sections suite={suite} />}
        {!suite && (failure ? <FailurePage error={failure} onRetry={retry} /> : <HomeSkeleton />)}
      </main>
      <SiteFooter />
    </>
  )
}

function Sections({ suite }: { suite: SuiteView }) {
  return (
    <>
      <LookSection services={suite.services} />
      <ServiceSection services={suite.services} />
      <IdentitySection holders={suite.holders} trustAnchors={suite.trustAnchors} />
    </>
  )
}

function StaleBanner(props: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('home')
  const { timeOfDay } = useTimeFormat()
  const { at } = useLastLook()
  return <FailureBanner {...props}>{t('stale', { time: timeOfDay(at) })}</FailureBanner>
}

/** Announces that the server is back: screen readers do not notice a banner that disappears. */
function useRecoveryNotice(failing: boolean) {
  const { t } = useTranslation('home')
  const announce = useAnnouncer()
  const [wasFailing, setWasFailing] = useState(failing)
  useEffect(() => {
    if (wasFailing && !failing) announce(t('back'))
    setWasFailing(failing)
  }, [wasFailing, failing, announce, t])
}

function useDocumentTitle() {
  const { t } = useTranslation('home')
  const title = t('title')
  useEffect(() => {
    document.title = title
  }, [title])
}
