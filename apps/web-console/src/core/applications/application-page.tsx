import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Ban, KeyRound, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DisableApplicationDialog, NewKeyDialog, RevokeKeyDialog } from '../../console/applications/key-dialogs.tsx'
import { May } from '../../console/parts/may.tsx'
import parts from '../../console/parts/parts.module.css'
import { useFormats } from '../../shared/format/use-formats.ts'
import type { Column } from '../../shared/parts/data-table.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { KeyStateChip } from '../../shared/parts/key-state-chip.tsx'
import { KeysTable } from '../../shared/parts/keys-table.tsx'
import { OnceDialog } from '../../shared/parts/once-dialog.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import {
  applicationQuery,
  createKey,
  keysQuery,
  revokeKey,
  subscriptionsQuery,
  switchApplication,
} from '../api/management.ts'
import type { Application, Key } from '../api/types.ts'
import classes from '../parts/parts.module.css'
import { ApplicationChip, RoleChips } from './application-chips.tsx'
import { DeleteDialog, RolesDialog, RootRolesDialog } from './application-dialogs.tsx'

type Open =
  | { kind: 'key' | 'root-roles' | 'disable' | 'delete' }
  | { kind: 'roles'; subscriptionId?: string }
  | { kind: 'revoke'; key: Key }

/** One application: its roles and its keys. */
export function ApplicationPage() {
  const { id } = useParams({ from: '/shell/applications/$id' })
  const { t } = useTranslation('core-applications')
  const query = useQuery(applicationQuery(id))
  const [open, setOpen] = useState<Open>()
  return (
    <>
      <PageHead title={query.data?.name ?? t('one')}>
        {query.data && (
          <May right="applications.manage">
            <HeadButtons application={query.data} onOpen={setOpen} />
          </May>
        )}
      </PageHead>
      <Queried query={query} lines={6}>
        {(application) => (
          <>
            <RolesPanel application={application} onOpen={setOpen} />
            <KeysPanel application={application} onOpen={setOpen} />
            <Dialogs open={open} application={application} onClose={() => setOpen(undefined)} />
          </>
        )}
      </Queried>
    </>
  )
}

interface PartProps {
  application: Application
  onOpen: (open: Open) => void
}

function HeadButtons({ application: { id, name, disabled }, onOpen }: PartProps) {
  const { t } = useTranslation(['core-applications', 'core', 'console-applications'])
  const { run, busy } = useAction(
    () => switchApplication(id, false),
    () => t('console-applications:wasEnabled', { name }),
  )
  return (
    <span className={classes.buttons}>
      <Button
        variant="default"
        loading={busy}
        leftSection={disabled ? <Power size={16} aria-hidden="true" /> : <Ban size={16} aria-hidden="true" />}
        onClick={() => (disabled ? void run(undefined) : onOpen({ kind: 'disable' }))}
      >
        {t(disabled ? 'core:enable' : 'core:disable')}
      </Button>
      <Button
        variant="default"
        leftSection={<Trash2 size={16} aria-hidden="true" />}
        onClick={() => onOpen({ kind: 'delete' })}
      >
        {t('core:delete')}
      </Button>
    </span>
  )
}

function RolesPanel({ application, onOpen }: PartProps) {
  const { t } = useTranslation(['core-applications', 'core'])
  const { date } = useFormats()
  const { data } = useQuery(subscriptionsQuery())
  const nameOf = (id: string) => data?.items.find((one) => one.id === id)?.name ?? id
  const { subscriptionId, subscriptions, rootRoles, dateCreated } = application
  return (
    <Panel title={t('columns.roles')}>
      <Facts
        rows={[
          [t('columns.state'), <ApplicationChip key="state" application={application} />],
          [t('madeIn'), subscriptionId === null ? undefined : nameOf(subscriptionId)],
          [t('columns.created'), date(dateCreated)],
        ]}
      />
      <span className={parts.stack}>
        {rootRoles.length > 0 && <RoleChips where={t('instance')} roles={rootRoles} />}
        {subscriptions.map((one) => (
          <RoleChips key={one.subscriptionId} where={nameOf(one.subscriptionId)} roles={one.roles} />
        ))}
        {rootRoles.length + subscriptions.length === 0 && <span className={parts.small}>{t('noRoles')}</span>}
      </span>
      <May right="applications.manage">
        <span className={classes.buttons}>
          <Button variant="default" size="xs" onClick={() => onOpen({ kind: 'roles' })}>
            {t('changeRoles')}
          </Button>
          <Button variant="default" size="xs" onClick={() => onOpen({ kind: 'root-roles' })}>
            {t('changeRootRoles')}
          </Button>
        </span>
      </May>
    </Panel>
  )
}

function KeysPanel({ application, onOpen }: PartProps) {
  const { t } = useTranslation(['console-applications', 'core-applications', 'core'])
  const { date, dateAndMinute } = useFormats()
  const query = useQuery(keysQuery(application.id))
  const columns: readonly Column<Key>[] = [
    { key: 'description', title: t('columns.description'), isHeader: true, cell: ({ description }) => description },
    {
      key: 'state',
      title: t('columns.state'),
      cell: ({ dateRevoked, expiresOn }) => <KeyStateChip revokedAt={dateRevoked} expiresAt={expiresOn} />,
    },
    { key: 'created', title: t('columns.created'), cell: ({ dateCreated }) => date(dateCreated) },
    {
      key: 'expires',
      title: t('core-applications:expires'),
      cell: ({ expiresOn }) => (expiresOn ? dateAndMinute(expiresOn) : t('core-applications:never')),
    },
    {
      key: 'used',
      title: t('core-applications:lastUsed'),
      cell: ({ dateLastUsed }) => (dateLastUsed ? dateAndMinute(dateLastUsed) : t('core-applications:never')),
    },
    {
      key: 'actions',
      title: t('revoke'),
      quiet: true,
      cell: (key) =>
        key.dateRevoked === null && (
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
  return (
    <Panel title={t('core-applications:keys')}>
      <May right="keys.manage">
        <span className={classes.buttons}>
          <Button
            size="xs"
            leftSection={<KeyRound size={14} aria-hidden="true" />}
            onClick={() => onOpen({ kind: 'key' })}
          >
            {t('core-applications:newKey')}
          </Button>
        </span>
      </May>
      <Queried query={query} lines={3}>
        {(keys) =>
          keys.length === 0 ? (
            <p className={parts.small}>{t('core-applications:noKeys')}</p>
          ) : (
            <KeysTable
              caption={t('core-applications:keys')}
              columns={columns}
              rows={keys}
              rowKey={({ id }) => id}
              timesOf={({ dateRevoked: revokedAt, expiresOn: expiresAt }) => ({ revokedAt, expiresAt })}
            />
          )
        }
      </Queried>
    </Panel>
  )
}

function Dialogs({
  open,
  application,
  onClose,
}: {
  open: Open | undefined
  application: Application
  onClose: () => void
}) {
  const { t } = useTranslation(['console-applications', 'console'])
  const [made, setMade] = useState<string>()
  const { id, name } = application
  const ofApplication = { application, onClose }
  return (
    <>
      {open?.kind === 'key' && (
        <NewKeyDialog
          name={name}
          onCreate={({ description, expiresAt }) => createKey(id, { description, expiresOn: expiresAt })}
          onMade={setMade}
          onClose={onClose}
        />
      )}
      {open?.kind === 'roles' && <RolesDialog {...ofApplication} />}
      {open?.kind === 'root-roles' && <RootRolesDialog {...ofApplication} />}
      {open?.kind === 'disable' && (
        <DisableApplicationDialog name={name} onConfirm={() => switchApplication(id, true)} onClose={onClose} />
      )}
      {open?.kind === 'delete' && <DeleteDialog {...ofApplication} />}
      {open?.kind === 'revoke' && (
        <RevokeKeyDialog name={open.key.description} onConfirm={() => revokeKey(id, open.key.id)} onClose={onClose} />
      )}
      {made && (
        <OnceDialog
          title={t('newKey')}
          text={t('keyText')}
          value={made}
          what={t('keyWhat')}
          taken={t('console:kept')}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}
