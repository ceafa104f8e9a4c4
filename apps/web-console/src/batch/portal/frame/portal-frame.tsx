import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { LogOut, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import frame from '../../../shared/frame/frame.module.css'
import { Switches } from '../../../shared/frame/switches.tsx'
import { NoticesProvider } from '../../../shared/parts/notices.tsx'
import { Seal } from '../../../shared/seal.tsx'
import { setCulture } from '../../api/actions.ts'
import { LoginLogo } from '../../frame/customer-logo.tsx'
import type { Approver } from '../api/portal-types.ts'
import classes from './portal-frame.module.css'

/** The frame around every page of an approver: one column, for phones first. */
export function PortalFrame({ approver, children }: { approver: Approver; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={classes.shell}>
      <a className={frame.skip} href="#content">
        {t('skipToContent')}
      </a>
      <header className={classes.bar}>
        <Brand />
        <LoginLogo className={frame.logo!} />
        <div className={classes.end}>
          <Switches onLanguage={(language) => void setCulture(language)} />
        </div>
        <Visitor approver={approver} />
      </header>
      <NoticesProvider>
        {(notice) => (
          <main id="content" className={classes.main} tabIndex={-1}>
            {notice}
            {children}
          </main>
        )}
      </NoticesProvider>
    </div>
  )
}

function Brand() {
  const { t } = useTranslation('batch-portal')
  return (
    <Link to="/approvals" className={frame.brand!}>
      <Seal size={32} />
      <span className={frame.brandText}>
        <span translate="no">Chancela</span>
        <span className={frame.product}>{t('title')}</span>
      </span>
    </Link>
  )
}

function Visitor({ approver: { name, email } }: { approver: Approver }) {
  const { t } = useTranslation(['batch', 'batch-portal'])
  return (
    <div className={classes.visitor}>
      <p className={classes.who}>
        <UserRound size={16} aria-hidden="true" />
        <Link to="/approvals/sessions" title={t('batch-portal:sessions.title')}>
          {t('operator', { name: name ?? email })}
        </Link>
      </p>
      {/* A form, not a fetch: the response clears the cookie and leads to the page for those without a link. */}
      <form method="post" action="/api/auth/logout">
        <Button type="submit" variant="default" size="xs" leftSection={<LogOut size={14} aria-hidden="true" />}>
          {t('signOut')}
        </Button>
      </form>
    </div>
  )
}
