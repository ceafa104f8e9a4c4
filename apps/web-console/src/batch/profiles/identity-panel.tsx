import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import type { ProfileOptions } from '../api/types.ts'
import { DEFAULT_PROFILE, isProfileName } from './profile-draft.ts'
import type { PanelProps } from './profile-form.tsx'
import classes from './profiles.module.css'

/** Name, whether it takes work, and its input folder. */
export function IdentityPanel(props: PanelProps & { isNew: boolean; options: ProfileOptions | undefined }) {
  const { t } = useTranslation(['batch-profiles', 'batch'])
  const { draft, change, errorOf, isNew, options } = props
  const isDefault = draft.name === DEFAULT_PROFILE
  const nameError = draft.name !== '' && !isProfileName(draft.name) ? t('rules.name') : undefined
  return (
    <Panel title={t('identity.title')}>
      <div className={classes.fields}>
        {isNew && (
          <TextInput
            label={t('identity.name')}
            description={t('rules.name')}
            required
            spellCheck={false}
            value={draft.name}
            error={errorOf('name') ?? nameError}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          label={t('identity.folder')}
          description={t('rules.folder')}
          value={draft.inputFolder ?? ''}
          error={errorOf('inputFolder')}
          onChange={(event) => change({ inputFolder: event.currentTarget.value || null })}
          data={folderChoices(draft.inputFolder, options, {
            none: t('identity.noFolder'),
            taken: (name, owner) => t('identity.taken', { name, owner }),
            own: draft.name,
          })}
        />
        <Switch
          label={t('identity.enabled')}
          description={isDefault ? t('rules.defaultEnabled') : t('rules.enabled')}
          checked={draft.enabled}
          disabled={isDefault && draft.enabled}
          error={errorOf('enabled')}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  )
}

interface FolderWords {
  readonly none: string
  readonly taken: (name: string, owner: string) => string
  readonly own: string
}

function folderChoices(current: string | null, options: ProfileOptions | undefined, words: FolderWords) {
  const offered = (options?.folders ?? []).map(({ name, profile }) => {
    const taken = profile !== null && profile !== words.own
    return { value: name, label: taken ? words.taken(name, profile) : name, disabled: taken && name !== current }
  })
  // A folder this host no longer watches must stay visible, or the form would silently select another.
  const missing = current !== null && !offered.some(({ value }) => value === current)
  return [{ value: '', label: words.none }, ...offered, ...(missing ? [{ value: current, label: current }] : [])]
}
