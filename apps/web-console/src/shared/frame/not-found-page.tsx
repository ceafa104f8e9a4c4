import { Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { MapPinOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../feedback/page-state.tsx'
import classes from './login.module.css'

/** For an address that does not exist. */
export function NotFoundPage() {
  const { t } = useTranslation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <main className={classes.page}>
      <PageState
        icon={MapPinOff}
        title={t('notFound.title')}
        isPage
        action={
          <Button component={Link} to="/">
            {t('notFound.home')}
          </Button>
        }
      >
        {t('notFound.text', { path })}
      </PageState>
    </main>
  )
}
