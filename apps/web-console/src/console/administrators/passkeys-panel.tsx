import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasPasskeys } from '../../shared/authenticator/browser-passkeys.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { passkeysQuery } from '../api/passkeys.ts'
import { waysQuery } from '../api/session.ts'
import type { Passkey } from '../api/types.ts'
import parts from '../parts/parts.module.css'
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'

type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

/** The administrator's passkeys. */
export function PasskeysPanel() {
  const { t } = useTranslation('console-passkeys')
  const query = useQuery(passkeysQuery)
  const { data: ways } = useQuery(waysQuery)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const areHere = ways?.passkey === true && hasPasskeys()
  return (
    <Panel
      title={t('title')}
      lead={t(areHere || !ways ? 'lead' : 'notHere')}
      actions={areHere && <AddButton onClick={() => setOpen({ kind: 'add' })} />}
    >
      <Queried query={query}>
        {(passkeys) => (passkeys.length === 0 ? <p>{t('none')}</p> : <Table passkeys={passkeys} onOpen={setOpen} />)}
      </Queried>
      {open?.kind === 'add' && <AddPasskeyDialog onClose={close} />}
      {open?.kind === 'rename' && <RenamePasskeyDialog passkey={open.passkey} onClose={close} />}
      {open?.kind === 'remove' && <RemovePasskeyDialog passkey={open.passkey} onClose={close} />}
    </Panel>
  )
}

function AddButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('console-passkeys')
  return (
    <Button variant="default" size="xs" leftSection={<Fingerprint size={14} aria-hidden="true" />} onClick={onClick}>
      {t('add')}
    </Button>
  )
}

interface TableProps {
  passkeys: readonly Passkey[]
  onOpen: (open: Open) => void
}

function Table({ passkeys, onOpen }: TableProps) {
  const { t } = useTranslation(['console-passkeys', 'console'])
  const { date, dateAndMinute } = useFormats()
  const columns: readonly Column<Passkey>[] = [
    {
      key: 'name',
      title: t('columns.name'),
      isHeader: true,
      cell: ({ name, host }) => (
        <span className={parts.stack}>
          <span>{name}</span>
          <span className={parts.small}>{host}</span>
        </span>
      ),
    },
    { key: 'created', title: t('columns.created'), cell: ({ createdAt }) => date(createdAt) },
    {
      key: 'used',
      title: t('columns.used'),
      cell: ({ lastUsedAt }) => (lastUsedAt ? dateAndMinute(lastUsedAt) : t('never')),
    },
    {
      key: 'actions',
      title: t('console:actions'),
      quiet: true,
      cell: (passkey) => <RowButtons passkey={passkey} onOpen={onOpen} />,
    },
  ]
  return <DataTable caption={t('title')} columns={columns} rows={passkeys} rowKey={({ id }) => id} />
}

function RowButtons({ passkey, onOpen }: { passkey: Passkey; onOpen: TableProps['onOpen'] }) {
  const { t } = useTranslation('console-passkeys')
  const { name } = passkey
  return (
    <span className={parts.rowButtons}>
      <Button
        variant="default"
        size="xs"
        aria-label={t('renameOf', { name })}
        onClick={() => onOpen({ kind: 'rename', passkey })}
      >
        {t('rename')}
      </Button>
      <Button
        variant="subtle"
        size="xs"
        aria-label={t('removeOf', { name })}
        onClick={() => onOpen({ kind: 'remove', passkey })}
      >
        {t('remove')}
      </Button>
    </span>
  )
}
