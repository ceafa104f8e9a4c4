import { Button, NativeSelect } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { LogOut, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../../shared/frame/frame.module.css'
import { useNotices } from '../../shared/parts/notices.tsx'
import { meQuery, signOut, switchOrganization } from '../api/session.ts'

/** Who is signed in, for which organization, and the sign-out button. */
export function Visitor() {
  const { t } = useTranslation('documents')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { failed } = useNotices()
  const { data: me } = useQuery(meQuery)
  if (!me) return null

  async function leave() {
    await signOut()
    queries.clear()
    await navigate({ to: '/login', search: {} })
  }

  async function change(organizationId: string) {
    const now = await switchOrganization(organizationId)
    // All cached data belongs to the other organization.
    queries.clear()
    queries.setQueryData(meQuery.queryKey, now)
    await navigate({ to: '/documents', search: {} })
  }

  return (
    <div className={classes.visitor}>
      <p className={classes.operator}>
        <UserRound size={16} aria-hidden="true" />
        {t('signedInAs', { name: me.name })}
      </p>
      <Link to="/account">{t('account')}</Link>
      <NativeSelect
        label={t('actingFor')}
        size="xs"
        w="100%"
        data={me.organizations.map(({ id, name, isPersonal }) => ({
          value: id,
          label: isPersonal ? t('personal', { name }) : name,
        }))}
        value={me.organization.id}
        onChange={({ currentTarget }) => void change(currentTarget.value).catch(failed)}
      />
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
