import { Button, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { LogOut, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../../shared/frame/frame.module.css'
import { useNotices } from '../../shared/parts/notices.tsx'
import { actFor, chosenOf, usable } from '../api/acting-for.ts'
import { meQuery } from '../api/session.ts'
import type { Me } from '../api/types.ts'
import { useLeave } from './use-leave.ts'

/** Who is signed in, for which organization and in which role, and the sign-out button. */
export function Visitor({ me }: { me: Me }) {
  const { t } = useTranslation('credentials')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = useLeave()
  const { failed } = useNotices()
  const chosen = chosenOf(me)!

  async function change(id: string) {
    actFor(id)
    // All other cached data belong to the other organization.
    queries.clear()
    queries.setQueryData(meQuery.queryKey, { ...me })
    await navigate({ to: '/' })
  }

  return (
    <div className={classes.visitor}>
      <p className={classes.operator}>
        <UserRound size={16} aria-hidden="true" />
        {t('signedInAs', { name: me.name })}
      </p>
      <Link to="/account">{t('account')}</Link>
      {usable(me).length > 1 ? (
        <NativeSelect
          label={t('actingFor')}
          size="xs"
          w="100%"
          data={usable(me).map(({ id, name, role }) => ({ value: id, label: `${name} (${t(`role.${role}`)})` }))}
          value={chosen.id}
          onChange={({ currentTarget }) => void change(currentTarget.value).catch(failed)}
        />
      ) : (
        <p>{`${chosen.name} (${t(`role.${chosen.role}`)})`}</p>
      )}
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
