import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../console/parts/may.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { clearLockout, lockoutsQuery } from '../api/activity.ts'
import type { Lockout } from '../api/types.ts'
import { CpfText } from '../parts/cpf-text.tsx'

/** CPFs with wrong PINs, locked ones first. */
export function LockoutsPage() {
  const { t } = useTranslation('sessions-activity')
  const query = useQuery(lockoutsQuery)
  const [clearing, setClearing] = useState<string>()
  return (
    <>
      <PageHead title={t('lockouts.title')} lead={t('lockouts.lead')} />
      <Queried query={query}>
        {(lockouts) =>
          lockouts.length === 0 ? (
            <Nothing icon={LockKeyholeOpen} title={t('lockouts.empty')} text={t('lockouts.emptyText')} />
          ) : (
            <LockoutsTable lockouts={lockouts} onClear={setClearing} />
          )
        }
      </Queried>
      {clearing && <ClearDialog cpf={clearing} onClose={() => setClearing(undefined)} />}
    </>
  )
}

function LockoutsTable({ lockouts, onClear }: { lockouts: readonly Lockout[]; onClear: (cpf: string) => void }) {
  const { t } = useTranslation(['sessions-activity', 'sessions'])
  const { count, dateAndTime } = useFormats()
  const columns: readonly Column<Lockout>[] = [
    { key: 'cpf', title: t('sessions:cpf'), isHeader: true, cell: ({ cpf }) => <CpfText cpf={cpf} /> },
    {
      key: 'state',
      title: t('lockouts.columns.state'),
      cell: ({ locked }) => (
        <Chip icon={locked ? LockKeyhole : LockKeyholeOpen} tone={locked ? 'bad' : 'plain'}>
          {t(locked ? 'lockouts.locked' : 'lockouts.counting')}
        </Chip>
      ),
    },
    {
      key: 'failures',
      title: t('lockouts.columns.failures'),
      numeric: true,
      cell: ({ failures }) => count(failures),
    },
    {
      key: 'last',
      title: t('lockouts.columns.last'),
      cell: ({ lastFailureAt }) => dateAndTime(lastFailureAt),
    },
    {
      key: 'clears',
      title: t('lockouts.columns.clears'),
      cell: ({ clearsAt }) => (clearsAt ? dateAndTime(clearsAt) : '–'),
    },
    {
      key: 'actions',
      title: t('lockouts.clear'),
      quiet: true,
      cell: ({ cpf }) => (
        <May right="lockouts.clear">
          <Button
            variant="default"
            size="xs"
            aria-label={t('lockouts.clearOf', { cpf: formatTaxId(cpf) })}
            onClick={() => onClear(cpf)}
          >
            {t('lockouts.clear')}
          </Button>
        </May>
      ),
    },
  ]
  return <DataTable caption={t('lockouts.caption')} columns={columns} rows={lockouts} rowKey={({ cpf }) => cpf} />
}

function ClearDialog({ cpf, onClose }: { cpf: string; onClose: () => void }) {
  const { t } = useTranslation('sessions-activity')
  const written = formatTaxId(cpf)
  const { attempt } = useAction(
    () => clearLockout(cpf),
    () => t('lockouts.cleared', { cpf: written }),
  )
  return (
    <ConfirmDialog
      title={t('lockouts.clearOf', { cpf: written })}
      confirm={t('lockouts.clear')}
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('lockouts.clearText')}
    </ConfirmDialog>
  )
}
