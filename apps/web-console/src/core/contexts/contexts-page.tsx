import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../console/parts/may.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import parts from '../../console/parts/parts.module.css'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { chooseDefault, contextsQuery, subscriptionsQuery } from '../api/management.ts'
import type { SecurityContext } from '../api/types.ts'
import classes from '../parts/parts.module.css'
import { SubscriptionSelect } from '../parts/subscription-select.tsx'
import { ContextDialog, DeleteDialog } from './context-dialogs.tsx'

type Open = { kind: 'new' } | { kind: 'change' | 'delete'; context: SecurityContext }

/** Whom a subscription trusts: the first one, until another is chosen. */
export function ContextsPage() {
  const { t } = useTranslation('core-contexts')
  const { subscriptionId } = useSearch({ from: '/shell/security-contexts' })
  const { data } = useQuery(subscriptionsQuery())
  const navigate = useNavigate()
  const chosen = subscriptionId ?? data?.items[0]?.id ?? ''
  const [open, setOpen] = useState<Open>()
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        {chosen !== '' && (
          <May right="security-contexts.manage">
            <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setOpen({ kind: 'new' })}>
              {t('add')}
            </Button>
          </May>
        )}
      </PageHead>
      <div className={parts.filters}>
        <SubscriptionSelect
          value={chosen}
          onChange={(id) =>
            void navigate({ to: '/security-contexts', search: id === '' ? {} : { subscriptionId: id } })
          }
        />
      </div>
      {chosen === '' ? (
        <Nothing icon={ShieldCheck} title={t('noSubscription')} text={t('noSubscriptionText')} />
      ) : (
        <Contexts subscriptionId={chosen} onOpen={setOpen} />
      )}
      {open?.kind === 'new' && <ContextDialog subscriptionId={chosen} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'change' && (
        <ContextDialog subscriptionId={chosen} context={open.context} onClose={() => setOpen(undefined)} />
      )}
      {open?.kind === 'delete' && (
        <DeleteDialog subscriptionId={chosen} context={open.context} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

interface ContextsProps {
  subscriptionId: string
  onOpen: (open: Open) => void
}

function Contexts({ subscriptionId, onOpen }: ContextsProps) {
  const { t } = useTranslation(['core-contexts', 'console'])
  const query = useQuery(contextsQuery(subscriptionId))
  const columns: readonly Column<SecurityContext>[] = [
    {
      key: 'name',
      title: t('columns.name'),
      isHeader: true,
      cell: ({ name, builtIn, isDefault }) => (
        <span className={parts.stack}>
          <span>{name}</span>
          <span className={classes.chips}>
            {builtIn && <Chip tone="plain">{t('builtIn')}</Chip>}
            {isDefault && <Chip tone="good">{t('default')}</Chip>}
          </span>
        </span>
      ),
    },
    { key: 'id', title: t('columns.id'), cell: ({ id }) => <CopyButton text={id} what={t('columns.id')} /> },
    {
      key: 'roots',
      title: t('columns.roots'),
      cell: ({ trustedRoots, intermediates, builtIn }) => (
        <span className={parts.stack}>
          {trustedRoots.length === 0 && builtIn ? (
            <span className={parts.small}>{t('fetched')}</span>
          ) : (
            trustedRoots.slice(0, 3).map((root) => <span key={root.thumbprintSHA256}>{root.subjectDisplayName}</span>)
          )}
          {trustedRoots.length > 3 && (
            <span className={parts.small}>{t('moreRoots', { count: trustedRoots.length - 3 })}</span>
          )}
          {intermediates.length > 0 && (
            <span className={parts.small}>{t('intermediates', { count: intermediates.length })}</span>
          )}
        </span>
      ),
    },
    {
      key: 'rules',
      title: t('columns.rules'),
      cell: ({ revocation, acceptedPolicies }) => (
        <span className={parts.stack}>
          <span>{t(`revocation.${revocation}`)}</span>
          {acceptedPolicies.length > 0 && <code className={classes.code}>{acceptedPolicies.join(', ')}</code>}
        </span>
      ),
    },
    {
      key: 'actions',
      title: t('console:actions'),
      quiet: true,
      cell: (context) => (
        <May right="security-contexts.manage">
          <RowButtons subscriptionId={subscriptionId} context={context} onOpen={onOpen} />
        </May>
      ),
    },
  ]
  return (
    <Queried query={query} lines={4}>
      {({ items }) => <DataTable caption={t('title')} columns={columns} rows={items} rowKey={({ id }) => id} />}
    </Queried>
  )
}

function RowButtons({ subscriptionId, context, onOpen }: ContextsProps & { context: SecurityContext }) {
  const { t } = useTranslation(['core-contexts', 'core'])
  const { id, name, builtIn, isDefault } = context
  const { run, busy } = useAction(
    () => chooseDefault(subscriptionId, id),
    () => t('chosen', { name }),
  )
  return (
    <span className={parts.rowButtons}>
      {!isDefault && (
        <Button
          variant="default"
          size="xs"
          loading={busy}
          aria-label={t('chooseOf', { name })}
          onClick={() => void run(undefined)}
        >
          {t('choose')}
        </Button>
      )}
      {!builtIn && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('changeOf', { name })}
          onClick={() => onOpen({ kind: 'change', context })}
        >
          {t('change')}
        </Button>
      )}
      {!builtIn && !isDefault && (
        <Button
          variant="subtle"
          size="xs"
          aria-label={t('deleteOf', { name })}
          onClick={() => onOpen({ kind: 'delete', context })}
        >
          {t('core:delete')}
        </Button>
      )}
    </span>
  )
}
