import { Button, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import type { Knob, Preset } from '../api/types.ts'
import { hintBelow, KnobFields } from './knob-fields.tsx'
import type { ProviderDraft } from './provider-draft.ts'
import classes from './providers.module.css'

export interface ProviderFieldsProps {
  draft: ProviderDraft
  /** The preset it is made from; absent for a preset of another version. */
  preset: Preset | undefined
  /** Knobs of its protocol. */
  knobs: readonly Knob[]
  /** Whether a secret is stored already. */
  hasSecret: boolean
  onChange: (changes: Partial<ProviderDraft>) => void
}

/** A provider: its names, its address, and the hub's client there. */
export function ProviderFields({ draft, preset, knobs, hasSecret, onChange }: ProviderFieldsProps) {
  const { t } = useTranslation(['hub-providers', 'console'])
  const field = (name: Exclude<keyof ProviderDraft, 'knobs' | 'tlsKey'>) => ({
    label: t(`form.${name}`),
    description: t(`form.${name}Hint`),
    inputWrapperOrder: hintBelow,
    spellCheck: false,
    autoComplete: 'off',
    value: draft[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange({ [name]: currentTarget.value }),
  })
  return (
    <>
      <Panel title={t('form.names')}>
        <div className={classes.fields}>
          <TextInput required maxLength={64} {...field('serviceName')} />
          <TextInput required maxLength={100} {...field('provider')} />
          <TextInput type="url" maxLength={2048} placeholder="https://" {...field('badgeUrl')} />
        </div>
      </Panel>
      <Panel title={t('form.connection')}>
        <div className={classes.fields}>
          <div className={classes.whole}>
            <TextInput type="url" required maxLength={2048} placeholder="https://" {...field('endpoint')} />
            <EndpointChoices
              preset={preset}
              endpoint={draft.endpoint}
              onChange={(endpoint) => onChange({ endpoint })}
            />
          </div>
          <TextInput maxLength={512} {...field('clientId')} />
          <PasswordInput
            maxLength={4096}
            visibilityToggleButtonProps={{ 'aria-label': t('form.showSecret') }}
            {...field('clientSecret')}
            description={t(hasSecret ? 'form.clientSecretKept' : 'form.clientSecretHint')}
            autoComplete="new-password"
          />
          <div className={classes.whole}>
            <TextInput maxLength={2048} placeholder="http://" {...field('proxy')} />
          </div>
        </div>
      </Panel>
      <KnobFields
        knobs={knobs}
        ofPreset={preset?.knobs ?? {}}
        typed={draft.knobs}
        onChange={(typed) => onChange({ knobs: typed })}
      >
        {(draft.knobs.clientCertificate ?? '') !== '' && (
          <Textarea
            label={t('form.tlsKey')}
            description={t(hasSecret ? 'form.clientSecretKept' : 'form.clientSecretHint')}
            maxLength={32_768}
            rows={3}
            spellCheck={false}
            value={draft.tlsKey}
            onChange={({ currentTarget }) => onChange({ tlsKey: currentTarget.value })}
          />
        )}
      </KnobFields>
    </>
  )
}

interface EndpointChoicesProps {
  preset: Preset | undefined
  endpoint: string
  onChange: (endpoint: string) => void
}

/** The known addresses, for providers that have one for testing. */
function EndpointChoices({ preset, endpoint, onChange }: EndpointChoicesProps) {
  const { t } = useTranslation('hub-providers')
  if (!preset?.testEndpoint || !preset.endpoint) return null
  const isTrial = endpoint === preset.testEndpoint
  return (
    <Button
      className={classes.known!}
      variant="subtle"
      size="compact-sm"
      onClick={() => onChange(isTrial ? preset.endpoint : preset.testEndpoint!)}
    >
      {t(isTrial ? 'form.useEndpoint' : 'form.useTestEndpoint')}
    </Button>
  )
}
