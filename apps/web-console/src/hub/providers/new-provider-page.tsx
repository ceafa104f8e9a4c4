import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { createProvider, presetsQuery } from '../api/providers.ts'
import type { Presets } from '../api/types.ts'
import { BackToProviders } from './back-to-providers.tsx'
import { asNew, draftOfPreset } from './provider-draft.ts'
import { ProviderFields } from './provider-fields.tsx'
import classes from './providers.module.css'
import { usePresetName } from './use-preset-name.ts'

/** Adds a provider, beginning with what is known of it. */
export function NewProviderPage() {
  const { t } = useTranslation('hub-providers')
  const query = useQuery(presetsQuery)
  return (
    <>
      <PageHead title={t('addTitle')} lead={t('addLead')} above={<BackToProviders />} />
      <Queried query={query}>{(known) => <NewProviderForm known={known} />}</Queried>
    </>
  )
}

function NewProviderForm({ known: { presets, knobs } }: { known: Presets }) {
  const { t } = useTranslation('hub-providers')
  const navigate = useNavigate()
  const nameOf = usePresetName()
  const [preset, setPreset] = useState(presets[0]!)
  const [draft, setDraft] = useState(() => draftOfPreset(preset))
  const [failure, setFailure] = useState<unknown>()
  const ofProtocol = knobs.filter(({ protocol }) => protocol === preset.protocol)
  const { attempt, busy } = useAction(
    () => createProvider(asNew(preset.name, draft, ofProtocol)),
    ({ serviceName }) => t('added', { name: serviceName }),
  )

  function choose(name: string) {
    const chosen = presets.find((one) => one.name === name)!
    setPreset(chosen)
    setDraft(draftOfPreset(chosen))
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setFailure(undefined)
    await attempt(undefined).then(({ id }) => navigate({ to: '/providers/$id', params: { id } }), setFailure)
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <NativeSelect
        className={classes.preset!}
        label={t('form.preset')}
        description={t('form.presetHint')}
        value={preset.name}
        data={presets.map((one) => ({ value: one.name, label: nameOf(one) }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <ProviderFields
        // Another preset gets a new form.
        key={preset.name}
        draft={draft}
        preset={preset}
        knobs={ofProtocol}
        hasSecret={false}
        onChange={(changes) => setDraft((now) => ({ ...now, ...changes }))}
      />
      {failure !== undefined && <ProblemNote error={failure} />}
      <div className={classes.buttons}>
        <Button type="submit" loading={busy} leftSection={<Plus size={16} aria-hidden="true" />}>
          {t('add')}
        </Button>
      </div>
    </form>
  )
}
