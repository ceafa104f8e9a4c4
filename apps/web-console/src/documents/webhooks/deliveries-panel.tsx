import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Inbox, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { ServiceWords } from '../../shared/parts/service-words.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { type Delivery, deliveryStates, eventTypes } from '../api/types.ts'
import { type DeliveryFilters, deliveriesQuery, resendFailed, type WebhookRef } from '../api/webhooks.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryState } from './delivery-state.tsx'
import classes from './webhooks.module.css'

/** Sent and waiting deliveries of a webhook, newest first. */
export function DeliveriesPanel({ reference }: { reference: WebhookRef }) {
  const { t } = useTranslation('documents-webhooks')
  const [filters, setFilters] = useState<DeliveryFilters>({})
  const [shown, setShown] = useState<string>()
  const [resending, setResending] = useState(false)
  const query = useInfiniteQuery(deliveriesQuery(reference, filters))
  return (
    <Panel
      title={t('deliveries.title')}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<RotateCw size={14} aria-hidden="true" />}
          onClick={() => setResending(true)}
        >
          {t('deliveries.resendFailed')}
        </Button>
      }
    >
      <Filters filters={filters} onChange={setFilters} />
      <Queried query={query}>
        {({ pages }) => <Table deliveries={pages.flatMap(({ items }) => items)} onShow={setShown} />}
      </Queried>
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('deliveries.more')}
        </Button>
      )}
      {shown && <DeliveryDialog reference={reference} deliveryId={shown} onClose={() => setShown(undefined)} />}
      {resending && <ResendDialog reference={reference} onClose={() => setResending(false)} />}
    </Panel>
  )
}

function Filters({ filters, onChange }: { filters: DeliveryFilters; onChange: (filters: DeliveryFilters) => void }) {
  const { t } = useTranslation('documents-webhooks')
  const set = (name: keyof DeliveryFilters, value: string) => {
    const { [name]: _, ...others } = filters
    onChange(value === '' ? others : { ...others, [name]: value })
  }
  const any = { value: '', label: t('deliveries.any') }
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={t('deliveries.state')}
        data={[any, ...deliveryStates.map((value) => ({ value, label: t(`deliveries.states.${value}`) }))]}
        value={filters.state ?? ''}
        onChange={({ currentTarget }) => set('state', currentTarget.value)}
      />
      <NativeSelect
        label={t('deliveries.type')}
        data={[any, ...eventTypes.map((value) => ({ value, label: value }))]}
        value={filters.type ?? ''}
        onChange={({ currentTarget }) => set('type', currentTarget.value)}
      />
    </div>
  )
}

function Table({ deliveries, onShow }: { deliveries: readonly Delivery[]; onShow: (id: string) => void }) {
  const { t } = useTranslation('documents-webhooks')
  const { dateAndTime, count } = useFormats()
  const columns: readonly Column<Delivery>[] = [
    {
      key: 'file',
      title: t('deliveries.columns.event'),
      isHeader: true,
      cell: ({ id, type, isTest, creationDate }) => (
        <>
          <button
            type="button"
            className={classes.open}
            aria-label={t('deliveries.show', { type, date: dateAndTime(creationDate) })}
            onClick={() => onShow(id)}
          >
            {type}
          </button>
          {isTest && <span className={classes.small}> ({t('deliveries.test')})</span>}
        </>
      ),
    },
    {
      key: 'state',
      title: t('deliveries.columns.state'),
      cell: ({ state, lastStatus, lastError, lastErrorMessages }) => (
        <span className={classes.state}>
          <DeliveryState state={state} />
          {lastStatus !== null && <span className={classes.small}>{lastStatus}</span>}
          {lastStatus === null && lastError !== null && <ServiceWords text={lastError} messages={lastErrorMessages} />}
        </span>
      ),
    },
    {
      key: 'attempts',
      title: t('deliveries.columns.attempts'),
      numeric: true,
      cell: ({ attempts }) => count(attempts),
    },
    { key: 'created', title: t('deliveries.columns.created'), cell: ({ creationDate }) => dateAndTime(creationDate) },
    {
      key: 'next',
      title: t('deliveries.columns.next'),
      cell: ({ nextAttempt }) => (nextAttempt ? dateAndTime(nextAttempt) : '–'),
    },
  ]
  if (deliveries.length === 0)
    return (
      <PageState icon={Inbox} title={t('deliveries.empty.title')}>
        {t('deliveries.empty.text')}
      </PageState>
    )
  return <DataTable caption={t('deliveries.caption')} columns={columns} rows={deliveries} rowKey={({ id }) => id} />
}

const THIRTY_DAYS_MS = 30 * 24 * 60 * 60 * 1000

function ResendDialog({ reference, onClose }: { reference: WebhookRef; onClose: () => void }) {
  const { t } = useTranslation('documents-webhooks')
  const { attempt } = useAction(
    () => resendFailed(reference, new Date(Date.now() - THIRTY_DAYS_MS).toISOString()),
    ({ scheduled }) => t('deliveries.scheduled', { count: scheduled }),
  )
  return (
    <ConfirmDialog
      title={t('deliveries.resendFailed')}
      confirm={t('deliveries.resendFailed')}
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('deliveries.resendFailedText')}
    </ConfirmDialog>
  )
}
