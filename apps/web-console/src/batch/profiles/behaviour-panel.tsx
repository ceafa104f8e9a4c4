import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import type { ProfileDraft } from '../api/profiles.ts'
import type { ProfileOptions } from '../api/types.ts'
import { type SignatureFormat, signatureFormats } from '../api/types.ts'
import { DEFAULT_PROFILE } from './profile-draft.ts'
import type { PanelProps } from './profile-form.tsx'
import classes from './profiles.module.css'

const levels = ['AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA', 'B-B', 'B-T', 'B-LT', 'B-LTA']

const switches = [
  'verify',
  'validateCertificate',
  'preserveFileExtension',
  'saveAsPem',
  'checkCnab240',
  'checkCnab240PaymentDates',
] as const

/** Formats in which a switch has no meaning; the service refuses it there. */
const notFor: Partial<Record<(typeof switches)[number], readonly SignatureFormat[]>> = {
  preserveFileExtension: ['Pades'],
  saveAsPem: ['Pades', 'Xades'],
}

/** How a file is signed, named and checked. */
export function BehaviourPanel({
  draft,
  change,
  errorOf,
  options,
}: PanelProps & { options: ProfileOptions | undefined }) {
  const { t } = useTranslation(['batch-profiles', 'batch'])
  const isMeaningless = (name: (typeof switches)[number]) =>
    (draft.format !== null && notFor[name]?.includes(draft.format)) ||
    (name === 'checkCnab240PaymentDates' && !draft.checkCnab240)
  return (
    <Panel title={t('behaviour.title')}>
      <div className={classes.fields}>
        <NativeSelect
          label={t('behaviour.format')}
          description={t('rules.format')}
          value={draft.format ?? ''}
          error={errorOf('format')}
          onChange={(event) => change({ format: (event.currentTarget.value || null) as SignatureFormat | null })}
          data={[
            ...(draft.name === DEFAULT_PROFILE ? [{ value: '', label: t('batch:format.auto') }] : []),
            ...signatureFormats.map((value) => ({ value, label: t(`batch:format.${value}`) })),
          ]}
        />
        <NativeSelect
          label={t('behaviour.level')}
          description={t('rules.level')}
          value={draft.level}
          error={errorOf('level')}
          onChange={(event) => change({ level: event.currentTarget.value as ProfileDraft['level'] })}
          data={[...(options?.levels ?? levels)]}
        />
        <TextInput
          label={t('behaviour.timestampAuthority')}
          description={t('rules.timestampAuthority')}
          type="url"
          placeholder="http://"
          value={draft.timestampAuthority ?? ''}
          error={errorOf('timestampAuthority')}
          onChange={(event) => change({ timestampAuthority: event.currentTarget.value || null })}
        />
      </div>
      <div className={classes.switches}>
        {switches.map((name) => (
          <Switch
            key={name}
            label={t(`behaviour.${name}`)}
            description={t(`rules.${name}`)}
            checked={draft[name]}
            // A switch that is on can always be turned off, even where it has no meaning.
            disabled={isMeaningless(name) && !draft[name]}
            error={errorOf(name)}
            onChange={(event) => change({ [name]: event.currentTarget.checked })}
          />
        ))}
      </div>
      {!draft.verify && <p className={classes.warning}>{t('behaviour.verifyOff')}</p>}
    </Panel>
  )
}
