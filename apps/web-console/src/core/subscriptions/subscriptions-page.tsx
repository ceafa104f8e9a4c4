import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Ban, Building2, CircleCheck, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { May } from '../../console/parts/may.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import parts from '../../console/parts/parts.module.css'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changeSubscription, subscriptionsQuery } from '../api/management.ts'
import type { Subscription } from '../api/types.ts'
import { CutNote } from '../parts/cut-note.tsx'
import { listFiltersFrom } from '../parts/list-filters.ts'
import { DisableDialog, NameDialog } from './subscription-dialogs.tsx'

type Open = { kind: 'new' } | { kind: 'rename' | 'disable'; subscription: Subscription }

/** Whoever the data of the instance belong to. */
export function SubscriptionsPage() {
  const { t } = useTranslation('core-subscriptions')
  const { q } = useSearch({ from: '/shell/subscriptions' })
  const query = useQuery(subscriptionsQuery(q))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <May right="subscriptions.manage">
          <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setOpen({ kind: 'new' })}>
            {t('add')}
          </Button>
        </May>
      </PageHead>
      <Filters q={q} />
      <Queried query={query} lines={6}>
        {(listed) =>
          listed.items.length === 0 ? (
            <Nothing icon={Building2} title={t('empty')} text={t('emptyText')} narrowed={q !== undefined} />
          ) : (
            <>
              <SubscriptionsTable subscriptions={listed.items} onOpen={setOpen} />
              <CutNote {...listed} />
            </>
          )
        }
      </Queried>
      {open?.kind === 'new' && <NameDialog onClose={close} />}
      {open?.kind === 'rename' && <NameDialog subscription={open.subscription} onClose={close} />}
      {open?.kind === 'disable' && <DisableDialog subscription={open.subscription} onClose={close} />}
    </>
  )
}

function Filters({ q }: { q: string | undefined }) {
  const { t } = useTranslation(['core-subscriptions', 'core'])
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('filters')}
      filters={q === undefined ? {} : { q }}
      onSearch={(typed) => void navigate({ to: '/subscriptions', search: listFiltersFrom(typed) })}
    >
      <TextInput name="q" type="search" maxLength={100} label={t('core:nameContains')} defaultValue={q ?? ''} />
    </FilterForm>
  )
}

interface TableProps {
  subscriptions: readonly Subscription[]
  onOpen: (open: Open) => void
}

function SubscriptionsTable({ subscriptions, onOpen }: TableProps) {
  const { t } = useTranslation(['core-subscriptions', 'core', 'console'])
  const { date } = useFormats()
  const columns: readonly Column<Subscription>[] = [
    { key: 'name', title: t('columns.name'), isHeader: true, cell: ({ name }) => name },
    {
      key: 'state',
      title: t('columns.state'),
      cell: ({ disabled }) => (
        <Chip icon={disabled ? Ban : CircleCheck} tone={disabled ? 'idle' : 'good'}>
          {t(disabled ? 'core:disabled' : 'core:enabled')}
        </Chip>
      ),
    },
    { key: 'id', title: t('columns.id'), cell: ({ id }) => <CopyButton text={id} what={t('columns.id')} /> },
    { key: 'created', title: t('columns.created'), cell: ({ dateCreated }) => date(dateCreated) },
    {
      key: 'more',
      title: t('columns.more'),
      cell: ({ id }) => (
        <span className={parts.rowButtons}>
          <May right="applications.read">
            <Link to="/applications" search={{ subscriptionId: id }}>
              {t('core:nav.applications')}
            </Link>
          </May>
          <May right="security-contexts.read">
            <Link to="/security-contexts" search={{ subscriptionId: id }}>
              {t('core:nav.contexts')}
            </Link>
          </May>
        </span>
      ),
    },
    {
      key: 'actions',
      title: t('console:actions'),
      quiet: true,
      cell: (subscription) => (
        <May right="subscriptions.manage">
          <RowButtons subscription={subscription} onOpen={onOpen} />
        </May>
      ),
    },
  ]
  return <DataTable caption={t('title')} columns={columns} rows={subscriptions} rowKey={({ id }) => id} />
}

function RowButtons({ subscription, onOpen }: { subscription: Subscription; onOpen: TableProps['onOpen'] }) {
  const { t } = useTranslation(['core-subscriptions', 'core'])
  const { id, name, disabled } = subscription
  const { run, busy } = useAction(
    () => changeSubscription(id, { disabled: false }),
    () => t('enabled', { name }),
  )
  return (
    <span className={parts.rowButtons}>
      <Button
        variant="default"
        size="xs"
        aria-label={t('renameOf', { name })}
        onClick={() => onOpen({ kind: 'rename', subscription })}
      >
        {t('rename')}
      </Button>
      <Button
        variant="subtle"
        size="xs"
        loading={busy}
        aria-label={t(disabled ? 'core:enableOf' : 'core:disableOf', { name })}
        onClick={() => (disabled ? void run(undefined) : onOpen({ kind: 'disable', subscription }))}
      >
        {t(disabled ? 'core:enable' : 'core:disable')}
      </Button>
    </span>
  )
}
