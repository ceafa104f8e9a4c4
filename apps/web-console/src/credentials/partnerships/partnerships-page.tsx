import { Button, NativeSelect } from '@mantine/core'
import { CircleCheck, CircleSlash, Clock, Handshake, type LucideIcon, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { Column } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { acceptPartnership } from '../api/partnerships.ts'
import type { Partnership } from '../api/types.ts'
import { useListSearch } from '../parts/list-search.ts'
import { ListView } from '../parts/list-view.tsx'
import classes from '../parts/parts.module.css'
import { useRights } from '../parts/rights.ts'
import { EndDialog, ProposeDialog } from './partnership-dialogs.tsx'

type Open = { kind: 'propose' } | { kind: 'end'; partnership: Partnership }

/** Which registrar takes the requests of which issuer. */
export function PartnershipsPage() {
  const { t } = useTranslation('credentials-partnerships')
  const [open, setOpen] = useState<Open>()
  const manages = useRights().may('partnerships.manage')
  const close = () => setOpen(undefined)
  const propose = manages && (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setOpen({ kind: 'propose' })}>
      {t('propose')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        {propose}
      </PageHead>
      <ListView
        resource="partnerships"
        caption={t('title')}
        columns={useColumns(manages ? (partnership) => setOpen({ kind: 'end', partnership }) : undefined)}
        hasText={false}
        filters={<StatusFilter />}
        empty={{ icon: Handshake, title: t('empty'), text: t('emptyText') }}
      />
      {open?.kind === 'propose' && <ProposeDialog onClose={close} />}
      {open?.kind === 'end' && <EndDialog partnership={open.partnership} onClose={close} />}
    </>
  )
}

function useColumns(onEnd: ((partnership: Partnership) => void) | undefined): readonly Column<Partnership>[] {
  const { t } = useTranslation(['credentials-partnerships', 'credentials'])
  const { dateAndMinute } = useFormats()
  return [
    { key: 'issuer', title: t('issuer'), isHeader: true, cell: ({ issuer }) => <Partner partner={issuer} /> },
    { key: 'registrar', title: t('registrar'), cell: ({ registrar }) => <Partner partner={registrar} /> },
    { key: 'status', title: t('state'), cell: (partnership) => <StatusChip partnership={partnership} /> },
    { key: 'updated', title: t('credentials:updated'), cell: ({ updateDate }) => dateAndMinute(updateDate) },
    ...(onEnd
      ? [
          {
            key: 'actions',
            title: t('credentials:actions'),
            quiet: true,
            cell: (partnership: Partnership) => <RowButtons partnership={partnership} onEnd={onEnd} />,
          },
        ]
      : []),
  ]
}

function Partner({ partner: { name, code, own } }: { partner: Partnership['issuer'] }) {
  const { t } = useTranslation('credentials-partnerships')
  return (
    <span className={classes.stack}>
      {name}
      <span className={classes.small}>{t(own ? 'own' : 'others', { code })}</span>
    </span>
  )
}

const looks: Readonly<Record<Partnership['status'], { icon: LucideIcon; tone: Tone }>> = {
  Proposed: { icon: Clock, tone: 'warning' },
  Active: { icon: CircleCheck, tone: 'good' },
  Ended: { icon: CircleSlash, tone: 'idle' },
}

const statuses = ['Proposed', 'Active', 'Ended'] as const satisfies readonly Partnership['status'][]

function StatusChip({ partnership: { status, proposedByUs } }: { partnership: Partnership }) {
  const { t } = useTranslation('credentials-partnerships')
  const key = status === 'Proposed' && !proposedByUs ? 'ProposedToUs' : status
  return <Chip {...looks[status]}>{t(`status.${key}`)}</Chip>
}

function StatusFilter() {
  const { t } = useTranslation(['credentials-partnerships', 'credentials'])
  const { search } = useListSearch()
  return (
    <NativeSelect
      name="status"
      label={t('state')}
      defaultValue={search.status ?? ''}
      data={[
        { value: '', label: t('credentials:all') },
        ...statuses.map((value) => ({ value, label: t(`status.${value}`) })),
      ]}
    />
  )
}

interface RowButtonsProps {
  partnership: Partnership
  onEnd: (partnership: Partnership) => void
}

/** Whoever proposed it waits for the other; either ends it. */
function RowButtons({ partnership, onEnd }: RowButtonsProps) {
  const { t } = useTranslation('credentials-partnerships')
  const { id, status, proposedByUs, issuer, registrar } = partnership
  const names = { issuer: issuer.name, registrar: registrar.name }
  const { run, busy } = useAction(acceptPartnership, () => t('accepted'))
  if (status === 'Ended') return null
  const isAsked = status === 'Proposed' && !proposedByUs
  return (
    <span className={classes.rowButtons}>
      {isAsked && (
        <Button size="xs" loading={busy} aria-label={t('acceptOf', names)} onClick={() => void run(id)}>
          {t('accept')}
        </Button>
      )}
      <Button
        variant="subtle"
        size="xs"
        aria-label={t(isAsked ? 'refuseOf' : 'endOf', names)}
        onClick={() => onEnd(partnership)}
      >
        {t(isAsked ? 'refuse' : 'end')}
      </Button>
    </span>
  )
}
