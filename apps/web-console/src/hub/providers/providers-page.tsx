import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Cloud, PlugZap, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../console/parts/may.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import { IconButton } from '../../shared/icon-button.tsx'
import { Logo } from '../../shared/logo/logo.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { providersQuery } from '../api/providers.ts'
import type { Provider } from '../api/types.ts'
import { ProviderChip } from '../parts/chips.tsx'
import { FailureNote } from './failure-note.tsx'
import classes from './providers.module.css'
import { SwitchButton } from './switch-button.tsx'
import { TestDialog } from './test-dialog.tsx'
import { type Moving, useMoving } from './use-moving.ts'

/** The providers in the order in which clients and users see them. */
export function ProvidersPage() {
  const { t } = useTranslation('hub-providers')
  const query = useQuery(providersQuery)
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <May right="providers.manage">
          <LinkButton to="/providers/new" leftSection={<Plus size={16} aria-hidden="true" />}>
            {t('addTitle')}
          </LinkButton>
        </May>
      </PageHead>
      <Queried query={query}>
        {(providers) =>
          providers.length === 0 ? (
            <Nothing icon={Cloud} title={t('empty')} text={t('emptyText')} />
          ) : (
            <ProviderList providers={providers} />
          )
        }
      </Queried>
    </>
  )
}

function ProviderList({ providers }: { providers: readonly Provider[] }) {
  const { t } = useTranslation('hub-providers')
  const moving = useMoving(providers)
  const [tested, setTested] = useState<Provider>()
  return (
    <>
      <ol className={classes.list} aria-label={t('title')}>
        {providers.map((provider, place) => (
          <li key={provider.id} className={classes.item}>
            <May right="providers.manage">
              <MoveButtons provider={provider} place={place} last={providers.length - 1} moving={moving} />
            </May>
            <ProviderText provider={provider} />
            <May right="providers.manage">
              <div className={classes.itemButtons}>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('testOf', { name: provider.serviceName })}
                  leftSection={<PlugZap size={14} aria-hidden="true" />}
                  onClick={() => setTested(provider)}
                >
                  {t('testShort')}
                </Button>
                <SwitchButton provider={provider} size="xs" />
              </div>
            </May>
          </li>
        ))}
      </ol>
      {tested && <TestDialog provider={tested} onClose={() => setTested(undefined)} />}
    </>
  )
}

interface MoveButtonsProps {
  provider: Provider
  place: number
  last: number
  moving: Moving
}

/** Moves one place up or down; disabled at the ends. */
function MoveButtons({ provider: { id, serviceName: name }, place, last, moving }: MoveButtonsProps) {
  const { t } = useTranslation('hub-providers')
  return (
    <span className={classes.move} ref={(element) => moving.keep(id, element)}>
      {place > 0 ? (
        <IconButton icon={ArrowUp} label={t('moveUp', { name })} onClick={() => moving.move(place, -1)} />
      ) : (
        <span />
      )}
      {place < last ? (
        <IconButton icon={ArrowDown} label={t('moveDown', { name })} onClick={() => moving.move(place, 1)} />
      ) : (
        <span />
      )}
    </span>
  )
}

function ProviderText({ provider }: { provider: Provider }) {
  const { t } = useTranslation('hub-providers')
  const { id, serviceName, provider: company, protocol, badgeUrl, endpoint, enabled, available, lastFailure } = provider
  return (
    <div className={classes.provider}>
      <Logo address={badgeUrl} name={serviceName} />
      <div className={classes.about}>
        <div className={classes.named}>
          <h2 className={classes.name}>
            <Link to="/providers/$id" params={{ id }}>
              {serviceName}
            </Link>
          </h2>
          <ProviderChip provider={{ enabled, available }} />
        </div>
        <p className={classes.quiet}>
          {company} · {t(`protocol.${protocol}`)}
        </p>
        <p className={classes.quiet}>
          <code>{endpoint}</code>
        </p>
        {enabled && !available && lastFailure && <FailureNote failure={lastFailure} />}
      </div>
    </div>
  )
}
