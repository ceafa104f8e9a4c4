import { Button, Textarea, TextInput } from '@mantine/core'
import { UserPlus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../shared/icon-button.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { FolderSelect } from '../parts/folder-select.tsx'
import { type DraftPerson, nobody } from './flow-draft.ts'
import classes from './new.module.css'

/** Further properties of new documents. */
export interface MoreDraft {
  readonly folderId: string | null
  /** `yyyy-MM-dd`, or empty. */
  readonly expiration: string
  readonly message: string
  readonly observers: readonly DraftPerson[]
  readonly notified: string
}

export interface MorePanelProps {
  draft: MoreDraft
  onChange: (draft: MoreDraft) => void
}

export function MorePanel({ draft, onChange }: MorePanelProps) {
  const { t } = useTranslation('documents-new')
  const set = <Name extends keyof MoreDraft>(name: Name, value: MoreDraft[Name]) =>
    onChange({ ...draft, [name]: value })
  return (
    <Panel title={t('more.title')}>
      <div className={classes.fields}>
        <FolderSelect
          label={t('more.folder')}
          none={t('more.noFolder')}
          value={draft.folderId}
          onChange={(folderId) => set('folderId', folderId)}
        />
        <TextInput
          type="date"
          label={t('more.expiration')}
          value={draft.expiration}
          onChange={({ currentTarget }) => set('expiration', currentTarget.value)}
        />
        <TextInput
          label={t('more.notified')}
          description={t('more.notifiedHint')}
          value={draft.notified}
          onChange={({ currentTarget }) => set('notified', currentTarget.value)}
        />
      </div>
      <Textarea
        label={t('more.message')}
        rows={3}
        maxLength={4000}
        value={draft.message}
        onChange={({ currentTarget }) => set('message', currentTarget.value)}
      />
      <Observers observers={draft.observers} onChange={(observers) => set('observers', observers)} />
    </Panel>
  )
}

interface ObserversProps {
  observers: readonly DraftPerson[]
  onChange: (observers: readonly DraftPerson[]) => void
}

function Observers({ observers, onChange }: ObserversProps) {
  const { t } = useTranslation('documents-new')
  const field = (at: number, name: keyof DraftPerson) => ({
    value: observers[at]![name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange(observers.with(at, { ...observers[at]!, [name]: currentTarget.value })),
  })
  return (
    <fieldset className={classes.observers}>
      <legend>{t('more.observers')}</legend>
      <p className={classes.quiet}>{t('more.observersHint')}</p>
      {observers.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: observers have no other identity while they are typed in
        <div key={at} className={classes.observer}>
          <TextInput label={t('flow.name')} required {...field(at, 'name')} />
          <TextInput label={t('flow.email')} type="email" required {...field(at, 'email')} />
          <IconButton
            icon={X}
            label={t('more.removeObserver', { number: at + 1 })}
            onClick={() => onChange(observers.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<UserPlus size={14} aria-hidden="true" />}
        onClick={() => onChange([...observers, nobody])}
      >
        {t('more.addObserver')}
      </Button>
    </fieldset>
  )
}
