import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import type { Column } from '../../shared/parts/data-table.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { KeyStateChip } from '../../shared/parts/key-state-chip.tsx'
import { KeysTable } from '../../shared/parts/keys-table.tsx'
import { OnceDialog } from '../../shared/parts/once-dialog.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { applicationsQuery, createApplication, createKey, revokeKey } from '../api/organization.ts'
import type { Application } from '../api/types.ts'
import classes from './organization.module.css'

type Key = Application['keys'][number]

type Open =
  | { kind: 'application' }
  | { kind: 'key'; application: Application }
  | { kind: 'revoke'; application: Application; key: Key }

/** Applications that call the API, and their keys. */
export function ApplicationsPanel({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('documents-organization')
  const query = useQuery(applicationsQuery(organizationId))
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<string>()
  const close = () => setOpen(undefined)
  return (
    <Panel
      title={t('applications.title')}
      lead={t('applications.lead')}
      actions={
        <Button
          size="xs"
          leftSection={<Plus size={14} aria-hidden="true" />}
          onClick={() => setOpen({ kind: 'application' })}
        >
          {t('applications.add')}
        </Button>
      }
    >
      <Queried query={query}>
        {(applications) => (
          <>
            {applications.length === 0 && <p className={classes.quiet}>{t('applications.empty')}</p>}
            <ul className={classes.applications}>
              {applications.map((application) => (
                <ApplicationRow key={application.id} application={application} onOpen={setOpen} />
              ))}
            </ul>
          </>
        )}
      </Queried>
      {open?.kind === 'application' && (
        <NameDialog
          title={t('applications.addTitle')}
          label={t('applications.name')}
          maxLength={100}
          said={t('applications.created')}
          onName={async (name) => setMade((await createApplication(organizationId, name)).apiKey)}
          onClose={close}
        />
      )}
      {open?.kind === 'key' && (
        <NameDialog
          title={t('applications.newKeyOf', { name: open.application.name })}
          label={t('applications.description')}
          maxLength={200}
          said={t('applications.keyMade')}
          onName={async (description) =>
            setMade((await createKey(organizationId, open.application.id, description)).apiKey)
          }
          onClose={close}
        />
      )}
      {open?.kind === 'revoke' && (
        <RevokeDialog
          organizationId={organizationId}
          application={open.application}
          apiKey={open.key}
          onClose={close}
        />
      )}
      {made && (
        <OnceDialog
          title={t('applications.keyTitle')}
          text={t('applications.keyText')}
          value={made}
          what={t('applications.keyWhat')}
          taken={t('applications.taken')}
          onClose={() => setMade(undefined)}
        />
      )}
    </Panel>
  )
}

function ApplicationRow({ application, onOpen }: { application: Application; onOpen: (open: Open) => void }) {
  const { t } = useTranslation('documents-organization')
  const { dateAndMinute } = useFormats()
  const { name, role, keys } = application
  const columns: readonly Column<Key>[] = [
    {
      key: 'description',
      title: t('applications.columns.description'),
      isHeader: true,
      cell: ({ description }) => description,
    },
    {
      key: 'created',
      title: t('applications.columns.created'),
      cell: ({ creationDate }) => dateAndMinute(creationDate),
    },
    {
      key: 'lastUse',
      title: t('applications.columns.lastUse'),
      cell: ({ lastUseDate }) => (lastUseDate ? dateAndMinute(lastUseDate) : t('applications.never')),
    },
    {
      key: 'state',
      title: t('applications.columns.state'),
      cell: ({ revocationDate, expirationDate }) => (
        <KeyStateChip revokedAt={revocationDate} expiresAt={expirationDate} />
      ),
    },
    {
      key: 'actions',
      title: t('applications.revoke'),
      quiet: true,
      cell: (key) =>
        key.revocationDate === null && (
          <Button
            variant="subtle"
            size="xs"
            aria-label={t('applications.revokeOf', { name: key.description })}
            onClick={() => onOpen({ kind: 'revoke', application, key })}
          >
            {t('applications.revoke')}
          </Button>
        ),
    },
  ]
  return (
    <li className={classes.application}>
      <div className={classes.applicationHead}>
        <h3 className={classes.applicationName}>
          {name} <Chip tone="plain">{t(`applications.role.${role}`)}</Chip>
          {application.folderIds && <Chip tone="plain">{t('applications.restricted')}</Chip>}
          {application.isDisabled && <Chip tone="idle">{t('applications.off')}</Chip>}
        </h3>
        <Button
          variant="default"
          size="xs"
          aria-label={t('applications.newKeyOf', { name })}
          leftSection={<KeyRound size={14} aria-hidden="true" />}
          onClick={() => onOpen({ kind: 'key', application })}
        >
          {t('applications.newKey')}
        </Button>
      </div>
      <KeysTable
        caption={t('applications.caption', { name })}
        columns={columns}
        rows={keys}
        rowKey={({ id }) => id}
        timesOf={({ revocationDate: revokedAt, expirationDate: expiresAt }) => ({ revokedAt, expiresAt })}
      />
    </li>
  )
}

interface NameDialogProps {
  title: string
  label: string
  maxLength: number
  onName: (name: string) => Promise<void>
  /** The notice after success. */
  said: string
  onClose: () => void
}

function NameDialog({ title, label, maxLength, onName, said, onClose }: NameDialogProps) {
  const { t } = useTranslation('documents-organization')
  const [name, setName] = useState('')
  const { attempt } = useAction(onName, () => said)
  return (
    <FormDialog
      title={title}
      confirm={t('applications.create')}
      ready={name.trim() !== ''}
      onSubmit={() => attempt(name.trim())}
      onClose={onClose}
    >
      <TextInput
        label={label}
        maxLength={maxLength}
        autoFocus
        required
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}

interface RevokeDialogProps {
  organizationId: string
  application: Application
  apiKey: Key
  onClose: () => void
}

function RevokeDialog({ organizationId, application, apiKey, onClose }: RevokeDialogProps) {
  const { t } = useTranslation('documents-organization')
  const { attempt } = useAction(
    () => revokeKey(organizationId, application.id, apiKey.id),
    () => t('applications.revoked'),
  )
  return (
    <ConfirmDialog
      title={t('applications.revokeOf', { name: apiKey.description })}
      confirm={t('applications.revoke')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('applications.revokeText')}
    </ConfirmDialog>
  )
}
