import { Button } from '@mantine/core'
import { Ban, KeyRound, Power } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import type { Column } from '../../shared/parts/data-table.tsx'
import { KeyStateChip } from '../../shared/parts/key-state-chip.tsx'
import { KeysTable } from '../../shared/parts/keys-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { switchApplication } from '../api/applications.ts'
import type { Application } from '../api/types.ts'
import { May } from '../parts/may.tsx'
import type { Key, Open } from './application-dialogs.tsx'
import classes from './applications.module.css'
import type { KeyExtras } from './key-extras.ts'

export interface ApplicationPanelProps {
  application: Application
  extras: KeyExtras
  onOpen: (open: Open) => void
}

/** One application with its keys. */
export function ApplicationPanel({ application, extras, onOpen }: ApplicationPanelProps) {
  const { t } = useTranslation('console-applications')
  const { date } = useFormats()
  const { name, disabled, createdAt, keys } = application
  return (
    <Panel
      title={name}
      lead={
        <span className={classes.lead}>
          {t('since', { date: date(createdAt) })}
          {disabled && (
            <Chip icon={Ban} tone="bad">
              {t('disabled')}
            </Chip>
          )}
        </span>
      }
      actions={
        <>
          {disabled ? (
            <May right="applications.manage">
              <EnableButton application={application} />
            </May>
          ) : (
            <May right="applications.manage">
              <Button
                variant="subtle"
                size="xs"
                aria-label={t('disableOf', { name })}
                onClick={() => onOpen({ kind: 'disable', application })}
              >
                {t('disable')}
              </Button>
            </May>
          )}
          <May right="keys.manage">
            <Button
              variant="default"
              size="xs"
              aria-label={t('newKeyOf', { name })}
              leftSection={<KeyRound size={14} aria-hidden="true" />}
              onClick={() => onOpen({ kind: 'key', application })}
            >
              {t('newKey')}
            </Button>
          </May>
        </>
      }
    >
      {keys.length === 0 ? (
        <p className={classes.quiet}>{t('noKeys')}</p>
      ) : (
        <Keys application={application} extras={extras} onOpen={onOpen} />
      )}
    </Panel>
  )
}

function EnableButton({ application: { id, name } }: { application: Application }) {
  const { t } = useTranslation('console-applications')
  const { run, busy } = useAction(
    () => switchApplication(id, false),
    () => t('wasEnabled', { name }),
  )
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      aria-label={t('enableOf', { name })}
      leftSection={<Power size={14} aria-hidden="true" />}
      onClick={() => void run(undefined)}
    >
      {t('enable')}
    </Button>
  )
}

function Keys({ application, extras, onOpen }: ApplicationPanelProps) {
  const { t } = useTranslation('console-applications')
  const { dateAndMinute, date } = useFormats()
  const columns: readonly Column<Key>[] = [
    { key: 'description', title: t('columns.description'), isHeader: true, cell: ({ description }) => description },
    { key: 'created', title: t('columns.created'), cell: ({ createdAt }) => dateAndMinute(createdAt) },
    {
      key: 'lastUse',
      title: t('columns.lastUse'),
      cell: ({ lastUsedAt }) => (lastUsedAt ? dateAndMinute(lastUsedAt) : t('never')),
    },
    {
      key: 'expires',
      title: t('columns.expires'),
      // The last moment of validity, so that the day shown is the one that was entered.
      cell: ({ expiresAt }) => (expiresAt ? date(Date.parse(expiresAt) - 1) : t('never')),
    },
    {
      key: 'state',
      title: t('columns.state'),
      cell: ({ revokedAt, expiresAt }) => <KeyStateChip revokedAt={revokedAt} expiresAt={expiresAt} />,
    },
    ...extras.useColumns(),
    {
      key: 'actions',
      title: t('revoke'),
      quiet: true,
      cell: (key) =>
        key.revokedAt === null && (
          <May right="keys.manage">
            <Button
              variant="subtle"
              size="xs"
              aria-label={t('revokeOf', { name: key.description })}
              onClick={() => onOpen({ kind: 'revoke', key })}
            >
              {t('revoke')}
            </Button>
          </May>
        ),
    },
  ]
  const { name, keys } = application
  return (
    <KeysTable
      caption={t('keys', { name })}
      columns={columns}
      rows={keys}
      rowKey={({ id }) => id}
      timesOf={(key) => key}
    />
  )
}
