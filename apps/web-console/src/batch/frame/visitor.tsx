import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LogOut, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../../shared/frame/frame.module.css'
import { systemQuery, whoQuery } from '../api/queries.ts'

/** Who is signed in, the sign-out button, and the running version. */
export function Visitor() {
  const { t } = useTranslation('batch')
  const { data: who } = useQuery(whoQuery)
  const { data: system } = useQuery(systemQuery)
  return (
    <div className={classes.visitor}>
      {who && (
        <p className={classes.operator}>
          <UserRound size={16} aria-hidden="true" />
          {t('operator', { name: who.operator })}
        </p>
      )}
      {/* A form, not a fetch: the response clears the cookie and redirects the browser to the login. */}
      <form method="post" action="/api/auth/logout">
        <Button type="submit" variant="default" size="xs" leftSection={<LogOut size={14} aria-hidden="true" />}>
          {t('signOut')}
        </Button>
      </form>
      {system && <p className={classes.version}>{t('version', { version: system.version })}</p>}
    </div>
  )
}
