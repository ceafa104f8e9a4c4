import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { Secret } from '../../shared/secret/secret.tsx'
import { resetFactor } from '../api/actions.ts'
import { approversQuery } from '../api/queries.ts'
import type { Approvers } from '../api/types.ts'
import classes from './system.module.css'

type ApproverLink = Approvers['links'][number]
type Enrolment = Approvers['enrolments'][number]

/** The links of approvers, to be handed out, and their authenticator apps, to be reset. */
export function ApproversPanel() {
  const { t } = useTranslation('batch-system')
  const approvers = useQuery(approversQuery)
  return (
    <Panel title={t('approvers.title')} lead={t('approvers.lead')}>
      <Queried query={approvers} lines={3}>
        {({ portal, secondFactor, links, enrolments }) => (
          <>
            {!portal && <p className={classes.hint}>{t('approvers.off')}</p>}
            {links.length > 0 ? <Links links={links} /> : <p>{t('approvers.none')}</p>}
            {(secondFactor || enrolments.length > 0) && <Enrolments enrolments={enrolments} />}
          </>
        )}
      </Queried>
    </Panel>
  )
}

function Links({ links }: { links: readonly ApproverLink[] }) {
  const { t } = useTranslation('batch-system')
  const columns: Column<ApproverLink>[] = [
    {
      key: 'who',
      title: t('approvers.who'),
      isHeader: true,
      cell: ({ name, email }) => (
        <>
          {name}
          <span className={classes.below}>{email}</span>
        </>
      ),
    },
    { key: 'profiles', title: t('approvers.profiles'), cell: ({ profiles }) => profiles.join(', ') },
    { key: 'link', title: t('approvers.link'), cell: (link) => <LinkCell {...link} /> },
  ]
  return <DataTable caption={t('approvers.links')} columns={columns} rows={links} rowKey={({ email }) => email} />
}

/** The link is the credential: hidden until asked for. */
function LinkCell({ name, path }: ApproverLink) {
  const { t } = useTranslation('batch-system')
  if (path === null) return '–'
  return <Secret value={location.origin + path} what={t('approvers.linkOf', { name })} />
}

function Enrolments({ enrolments }: { enrolments: readonly Enrolment[] }) {
  const { t } = useTranslation('batch-system')
  const { dateAndMinute } = useFormats()
  const [resetting, setResetting] = useState<Enrolment>()
  const reset = useAction(resetFactor, () => t('approvers.resetDone'))
  const columns: Column<Enrolment>[] = [
    { key: 'email', title: t('approvers.email'), isHeader: true, cell: ({ email }) => email },
    { key: 'at', title: t('approvers.enrolledAt'), cell: ({ enrolledAt }) => dateAndMinute(enrolledAt) },
    { key: 'state', title: t('approvers.state'), cell: (enrolment) => <StateChip {...enrolment} /> },
    {
      key: 'actions',
      title: t('approvers.reset'),
      quiet: true,
      cell: (enrolment) => (
        <Button
          variant="default"
          size="xs"
          aria-label={t('approvers.resetOf', { email: enrolment.email })}
          leftSection={<RotateCcw size={14} aria-hidden="true" />}
          onClick={() => setResetting(enrolment)}
        >
          {t('approvers.reset')}
        </Button>
      ),
    },
  ]
  if (enrolments.length === 0) return <p>{t('approvers.noApps')}</p>
  return (
    <>
      <DataTable caption={t('approvers.apps')} columns={columns} rows={enrolments} rowKey={({ email }) => email} />
      {resetting && (
        <ConfirmDialog
          title={t('approvers.resetTitle')}
          confirm={t('approvers.reset')}
          danger
          onConfirm={() => reset.attempt(resetting.email)}
          onClose={() => setResetting(undefined)}
        >
          {t('approvers.resetText', { email: resetting.email })}
        </ConfirmDialog>
      )}
    </>
  )
}

function StateChip({ usable, lockedUntil }: Enrolment) {
  const { t } = useTranslation('batch-system')
  const { timeOfDay } = useFormats()
  const isGood = usable && lockedUntil === null
  return (
    <Chip icon={isGood ? CircleCheck : CircleX} tone={isGood ? 'good' : 'bad'}>
      {!usable
        ? t('approvers.unusable')
        : lockedUntil
          ? t('approvers.locked', { at: timeOfDay(lockedUntil) })
          : t('approvers.usable')}
    </Chip>
  )
}
