import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import type { Column } from '../../shared/parts/data-table.tsx'
import { KeyStateChip } from '../../shared/parts/key-state-chip.tsx'
import { KeysTable } from '../../shared/parts/keys-table.tsx'
import { OnceDialog } from '../../shared/parts/once-dialog.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { listQuery, MOST_CHOICES } from '../api/lists.ts'
import { keysQuery } from '../api/organization.ts'
import type { Application, ApplicationKey } from '../api/types.ts'
import classes from '../parts/parts.module.css'
import { type ApplicationAct, ApplicationDialog } from './application-dialogs.tsx'

/** Programs that call the API for the organization, and their keys. */
export function ApplicationsPanel() {
  const { t } = useTranslation('credentials-organization')
  const query = useQuery(listQuery<Application>('applications', { pageSize: MOST_CHOICES }))
  const [act, setAct] = useState<ApplicationAct>()
  const [made, setMade] = useState<string>()
  return (
    <Panel
      title={t('applications.title')}
      lead={t('applications.lead')}
      actions={
        <Button size="xs" leftSection={<Plus size={14} aria-hidden="true" />} onClick={() => setAct({ kind: 'add' })}>
          {t('applications.add')}
        </Button>
      }
    >
      <Queried query={query}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className={classes.quiet}>{t('applications.empty')}</p>}
            {items.map((application) => (
              <ApplicationPart key={application.id} application={application} onAct={setAct} />
            ))}
          </>
        )}
      </Queried>
      {act && <ApplicationDialog act={act} onKey={setMade} onClose={() => setAct(undefined)} />}
      {made && (
        <OnceDialog
          title={t('applications.keyTitle')}
          text={t('applications.keyText')}
          value={made}
          what={t('applications.key')}
          taken={t('applications.taken')}
          onClose={() => setMade(undefined)}
        />
      )}
    </Panel>
  )
}

interface PartProps {
  application: Application
  onAct: (act: ApplicationAct) => void
}

function ApplicationPart({ application, onAct }: PartProps) {
  const { t } = useTranslation(['credentials-organization', 'credentials'])
  const { name, role, disabled } = application
  return (
    <section className={classes.part} aria-label={name}>
      <div className={classes.partHead}>
        <h3 className={classes.partName}>
          {name}
          <Chip tone="plain">{t(`credentials:role.${role}`)}</Chip>
          <Chip icon={disabled ? CircleSlash : CircleCheck} tone={disabled ? 'idle' : 'good'}>
            {t(disabled ? 'applications.disabled' : 'applications.enabled')}
          </Chip>
        </h3>
        <span className={classes.rowButtons}>
          <ActButton label={t('applications.newKey')} name={name} onClick={() => onAct({ kind: 'key', application })} />
          <ActButton
            label={t('credentials:change')}
            name={name}
            onClick={() => onAct({ kind: 'change', application })}
          />
          <ActButton
            label={t('credentials:remove')}
            name={name}
            onClick={() => onAct({ kind: 'remove', application })}
          />
        </span>
      </div>
      <Queried query={useQuery(keysQuery(application.id))} lines={2}>
        {(keys) =>
          keys.length === 0 ? (
            <p className={classes.quiet}>{t('applications.noKeys')}</p>
          ) : (
            <Keys application={application} keys={keys} onAct={onAct} />
          )
        }
      </Queried>
    </section>
  )
}

function ActButton({ label, name, onClick }: { label: string; name: string; onClick: () => void }) {
  return (
    <Button variant="default" size="xs" aria-label={`${label}: ${name}`} onClick={onClick}>
      {label}
    </Button>
  )
}

function Keys({ application, keys, onAct }: PartProps & { keys: readonly ApplicationKey[] }) {
  const { t } = useTranslation(['credentials-organization', 'credentials'])
  const { dateAndMinute } = useFormats()
  const moment = (at: string | null) => (at ? dateAndMinute(at) : '–')
  const columns: readonly Column<ApplicationKey>[] = [
    {
      key: 'description',
      title: t('applications.description'),
      isHeader: true,
      cell: ({ description }) => (
        <span className={classes.copied}>
          <KeyRound size={14} aria-hidden="true" /> {description}
        </span>
      ),
    },
    { key: 'created', title: t('credentials:created'), cell: ({ creationDate }) => moment(creationDate) },
    { key: 'expires', title: t('applications.expires'), cell: ({ expirationDate }) => moment(expirationDate) },
    { key: 'used', title: t('applications.lastUse'), cell: ({ lastUseDate }) => moment(lastUseDate) },
    {
      key: 'state',
      title: t('applications.state'),
      cell: ({ revocationDate, expirationDate }) => (
        <KeyStateChip revokedAt={revocationDate} expiresAt={expirationDate} />
      ),
    },
    {
      key: 'actions',
      title: t('credentials:actions'),
      quiet: true,
      cell: (key) =>
        key.revocationDate === null && (
          <Button
            variant="subtle"
            size="xs"
            aria-label={t('applications.revokeOf', { name: key.description })}
            onClick={() => onAct({ kind: 'revoke', application, key })}
          >
            {t('applications.revoke')}
          </Button>
        ),
    },
  ]
  return (
    <KeysTable
      timesOf={({ revocationDate: revokedAt, expirationDate: expiresAt }) => ({ revokedAt, expiresAt })}
      caption={t('applications.keysOf', { name: application.name })}
      columns={columns}
      rows={keys}
      rowKey={({ id }) => id}
    />
  )
}
