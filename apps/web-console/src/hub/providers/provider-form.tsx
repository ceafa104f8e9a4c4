import { Button } from '@mantine/core'
import { Save } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../console/parts/may.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changeProvider } from '../api/providers.ts'
import type { Presets, Provider } from '../api/types.ts'
import { asChange, draftOf } from './provider-draft.ts'
import { ProviderFields } from './provider-fields.tsx'
import classes from './providers.module.css'

/** Edits a provider; refetches do not overwrite what was typed. */
export function ProviderForm({ provider, presets }: { provider: Provider; presets: Presets }) {
  const { t } = useTranslation('hub-providers')
  const mayChange = useMay()('providers.manage')
  const [draft, setDraft] = useState(() => draftOf(provider))
  const [failure, setFailure] = useState<unknown>()
  const knobs = presets.knobs.filter(({ protocol }) => protocol === provider.protocol)
  const { attempt, busy } = useAction(
    () => changeProvider(provider.id, asChange(draft, knobs, provider.knobs)),
    ({ serviceName }) => t('saved', { name: serviceName }),
  )

  async function submit(event: FormEvent) {
    event.preventDefault()
    setFailure(undefined)
    await attempt(undefined).then((saved) => setDraft(draftOf(saved)), setFailure)
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <fieldset className={classes.plain} disabled={!mayChange}>
        <ProviderFields
          draft={draft}
          preset={presets.presets.find(({ name }) => name === provider.preset)}
          knobs={knobs}
          hasSecret
          onChange={(changes) => setDraft((now) => ({ ...now, ...changes }))}
        />
      </fieldset>
      {failure !== undefined && <ProblemNote error={failure} />}
      {mayChange && (
        <div className={classes.buttons}>
          <Button type="submit" loading={busy} leftSection={<Save size={16} aria-hidden="true" />}>
            {t('form.save')}
          </Button>
        </div>
      )}
    </form>
  )
}
