import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../../shared/api/field-errors.ts'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { addFolder, editFolder } from '../api/folders.ts'
import type { Folder, FolderField, FolderList } from '../api/types.ts'
import { draftOf, typedOf } from './folder-draft.ts'
import classes from './folders.module.css'

/** Adds a folder, or changes one. */
export function FolderDialog(props: { folder?: Folder; list: FolderList; onClose: () => void }) {
  const { folder, list, onClose } = props
  const { t } = useTranslation('batch-folders')
  const [typed, setTyped] = useState(() => typedOf(folder))
  const [failure, setFailure] = useState<unknown>()
  const save = useAction(
    (draft: ReturnType<typeof draftOf>) => (folder ? editFolder(draft, folder.version) : addFolder(draft)),
    ({ name }) => t(folder ? 'form.changed' : 'form.added', { name }),
  )
  const submit = () =>
    save.attempt(draftOf(typed, list.fields)).catch((error: unknown) => {
      setFailure(error)
      throw error
    })
  const type = (name: string, text: string) =>
    setTyped((before) => ({ ...before, options: { ...before.options, [name]: text } }))
  const errorOf = (field: string) => fieldErrors(failure, field)
  const own = folder?.profileName
  const free = list.profiles.filter(({ name, folder: taken }) => taken === null || name === own)
  return (
    <FormDialog
      title={folder ? t('form.changeTitle', { name: folder.name }) : t('form.addTitle')}
      confirm={t(folder ? 'form.save' : 'form.add')}
      onSubmit={submit}
      onClose={onClose}
    >
      {!folder && (
        <TextInput
          label={t('form.name')}
          description={t('form.nameHint')}
          required
          spellCheck={false}
          value={typed.name}
          error={errorOf('name')}
          onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={t('form.path')}
        description={t('form.pathHint')}
        required
        spellCheck={false}
        value={typed.options.path ?? ''}
        error={errorOf('path')}
        onChange={(event) => type('path', event.currentTarget.value)}
      />
      <Checkbox
        label={t('form.create')}
        checked={typed.create}
        onChange={(event) => setTyped({ ...typed, create: event.currentTarget.checked })}
      />
      <NativeSelect
        label={t('profile')}
        description={t('form.profileHint')}
        value={typed.profile}
        error={errorOf('profile')}
        data={[{ value: '', label: t('form.noProfile') }, ...free.map(({ name }) => ({ value: name, label: name }))]}
        onChange={(event) => setTyped({ ...typed, profile: event.currentTarget.value })}
      />
      <details className={classes.more}>
        <summary>{t('form.more')}</summary>
        {list.fields
          .filter(({ name }) => name !== 'path')
          .map((field) => (
            <OptionField
              key={field.name}
              field={field}
              value={typed.options[field.name] ?? ''}
              error={errorOf(field.name)}
              onType={(text) => type(field.name, text)}
            />
          ))}
      </details>
    </FormDialog>
  )
}

interface OptionFieldProps {
  field: FolderField
  value: string
  error: string | undefined
  onType: (text: string) => void
}

/** One of the options that this build of the service knows; a newer one is shown under its own name. */
function OptionField({ field: { name, kind }, value, error, onType }: OptionFieldProps) {
  const { t, i18n } = useTranslation('batch-folders')
  const isKnown = i18n.exists(`batch-folders:fields.${name}`)
  const label = isKnown ? t(`fields.${name}` as 'fields.pollIntervalSeconds') : name
  if (kind === 'flag')
    return (
      <Checkbox
        label={label}
        checked={value === 'true'}
        error={error}
        onChange={(event) => onType(event.currentTarget.checked ? 'true' : '')}
      />
    )
  return (
    <TextInput
      label={label}
      {...(kind === 'list' && { description: t('form.listHint') })}
      inputMode={kind === 'number' ? 'numeric' : 'text'}
      spellCheck={false}
      value={value}
      error={error}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  )
}
