import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fingerprint, Plus, UserRoundCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { profilesQuery } from '../api/profiles.ts'
import type { Profile } from '../api/types.ts'
import { ConditionsBand } from '../conditions/conditions-band.tsx'
import { ProfileState } from './profile-state.tsx'
import classes from './profiles.module.css'

/** The signing profiles and whether each can sign. */
export function ProfilesPage() {
  const { t } = useTranslation('batch-profiles')
  const profiles = useQuery(profilesQuery)
  const create = (
    <Button component={Link} to="/profiles/new" leftSection={<Plus size={16} aria-hidden="true" />}>
      {t('new')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        {create}
      </PageHead>
      <ConditionsBand />
      <Panel title={t('list')}>
        <Queried query={profiles}>
          {(all) =>
            all.length === 0 ? (
              <PageState icon={Fingerprint} title={t('none')} action={create}>
                {t('noneText')}
              </PageState>
            ) : (
              <ProfileTable profiles={all} />
            )
          }
        </Queried>
      </Panel>
    </>
  )
}

function ProfileTable({ profiles }: { profiles: readonly Profile[] }) {
  const { t } = useTranslation(['batch-profiles', 'batch'])
  const columns: Column<Profile>[] = [
    {
      key: 'name',
      title: t('columns.name'),
      isHeader: true,
      cell: ({ name }) => (
        <Link to="/profiles/$name" params={{ name }}>
          {name}
        </Link>
      ),
    },
    { key: 'state', title: t('columns.state'), cell: (profile) => <ProfileState profile={profile} /> },
    {
      key: 'format',
      title: t('columns.format'),
      cell: ({ format, level }) => `${t(`batch:format.${format ?? 'auto'}`)} · ${level}`,
    },
    {
      key: 'key',
      title: t('columns.key'),
      cell: ({ certificate }) => (certificate ? t(`kinds.${certificate.kind}`) : t('kinds.none')),
    },
    { key: 'folder', title: t('columns.folder'), cell: ({ inputFolder }) => inputFolder ?? t('batch:none') },
    { key: 'checks', title: t('columns.checks'), cell: (profile) => <Checks profile={profile} /> },
  ]
  return <DataTable caption={t('list')} columns={columns} rows={profiles} rowKey={({ name }) => name} />
}

const checks = ['verify', 'validateCertificate', 'checkCnab240', 'encrypt'] as const

function Checks({ profile }: { profile: Profile }) {
  const { t } = useTranslation('batch-profiles')
  return (
    <span className={classes.checks}>
      {profile.approval && (
        <Chip icon={UserRoundCheck} tone="plain">
          {t('short.approval', {
            needed: profile.approval.minimumApprovers,
            pool: profile.approval.approvers.length,
          })}
        </Chip>
      )}
      {checks
        .filter((key) => profile[key])
        .map((key) => (
          <Chip key={key} tone="plain">
            {t(`short.${key}`)}
          </Chip>
        ))}
    </span>
  )
}
