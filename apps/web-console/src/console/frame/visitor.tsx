import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogOut, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../../shared/frame/frame.module.css'
import { useNotices } from '../../shared/parts/notices.tsx'
import { meQuery } from '../api/session.ts'
import { useLeave } from './use-leave.ts'

/** Who is signed in, a link to their account, and the sign-out button. */
export function Visitor() {
  const { t } = useTranslation('console')
  const leave = useLeave()
  const { failed } = useNotices()
  const { data: me } = useQuery(meQuery)
  if (!me) return null
  return (
    <div className={classes.visitor}>
      <p className={classes.operator}>
        <UserRound size={16} aria-hidden="true" />
        {t('signedInAs', { name: me.name })}
      </p>
      <Link to="/account">{t('account')}</Link>
      <Button
        variant="default"
        size="xs"
        leftSection={<LogOut size={14} aria-hidden="true" />}
        onClick={() => void leave().catch(failed)}
      >
        {t('signOut')}
      </Button>
    </div>
  )
}
