import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ClipboardPen, CloudOff, PlugZap, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../console/parts/may.tsx'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { presetsQuery, providersQuery } from '../api/providers.ts'
import type { Presets, Provider } from '../api/types.ts'
import { ProviderChip } from '../parts/chips.tsx'
import { BackToProviders } from './back-to-providers.tsx'
import { FailureNote } from './failure-note.tsx'
import { RegisterDialog, RemoveDialog } from './provider-dialogs.tsx'
import { ProviderForm } from './provider-form.tsx'
import classes from './providers.module.css'
import { SwitchButton } from './switch-button.tsx'
import { TestDialog } from './test-dialog.tsx'
import { usePresetName } from './use-preset-name.ts'

/** One provider: its address, whether it answers, and the hub's client there. */
export function ProviderPage() {
  const { id } = useParams({ from: '/shell/providers/$id' })
  const providers = useQuery(providersQuery)
  const presets = useQuery(presetsQuery)
  return (
    <Queried query={providers}>
      {(known) => {
        const provider = known.find((one) => one.id === id)
        if (!provider) return <Gone />
        return <Queried query={presets}>{(found) => <Content key={id} provider={provider} presets={found} />}</Queried>
      }}
    </Queried>
  )
}

function Gone() {
  const { t } = useTranslation('hub-providers')
  return (
    <>
      <PageHead title={t('title')} above={<BackToProviders />} />
      <PageState icon={CloudOff} title={t('gone')} />
    </>
  )
}

type Open = 'test' | 'register' | 'remove'

function Content({ provider, presets }: { provider: Provider; presets: Presets }) {
  const { t } = useTranslation('hub-providers')
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const { serviceName: name, protocol, enabled, available } = provider
  return (
    <>
      <PageHead
        title={name}
        above={<BackToProviders />}
        lead={
          <span className={classes.chips}>
            <ProviderChip provider={{ enabled, available }} />
            <Chip tone="plain">{t(`protocol.${protocol}`)}</Chip>
          </span>
        }
      >
        <May right="providers.manage">
          <SwitchButton provider={provider} />
          {protocol === 'psc' && (
            <Button
              variant="default"
              leftSection={<ClipboardPen size={16} aria-hidden="true" />}
              onClick={() => setOpen('register')}
            >
              {t('register')}
            </Button>
          )}
          <Button leftSection={<PlugZap size={16} aria-hidden="true" />} onClick={() => setOpen('test')}>
            {t('test')}
          </Button>
        </May>
      </PageHead>
      <FactsPanel provider={provider} presets={presets} />
      {/* A registration changes the client id: a form with the old id would restore it. */}
      <ProviderForm key={provider.clientId} provider={provider} presets={presets} />
      <May right="providers.manage">
        <Panel title={t('remove')} lead={t('removeLead')} tone="danger">
          <Button
            className={classes.known!}
            color="red"
            leftSection={<Trash2 size={16} aria-hidden="true" />}
            onClick={() => setOpen('remove')}
          >
            {t('removeOf', { name })}
          </Button>
        </Panel>
      </May>
      {open === 'test' && <TestDialog provider={provider} onClose={close} />}
      {open === 'register' && <RegisterDialog provider={provider} onClose={close} />}
      {open === 'remove' && (
        <RemoveDialog provider={provider} onRemoved={() => void navigate({ to: '/providers' })} onClose={close} />
      )}
    </>
  )
}

function FactsPanel({ provider, presets: { presets } }: { provider: Provider; presets: Presets }) {
  const { t } = useTranslation('hub-providers')
  const { dateAndMinute } = useFormats()
  const nameOf = usePresetName()
  const { callbackUri, preset, createdAt, updatedAt, lastFailure } = provider
  return (
    <Panel title={t('facts.title')} lead={t('facts.lead')}>
      <p className={classes.callback}>
        <code>{callbackUri}</code>
        <CopyButton text={callbackUri} what={t('facts.callback')} />
      </p>
      <Facts
        dense
        rows={[
          [t('facts.preset'), nameOf(presets.find(({ name }) => name === preset) ?? { name: preset, title: preset })],
          [t('facts.created'), dateAndMinute(createdAt)],
          [t('facts.updated'), dateAndMinute(updatedAt)],
        ]}
      />
      {lastFailure && <FailureNote failure={lastFailure} />}
    </Panel>
  )
}
