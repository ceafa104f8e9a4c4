import { Button, TextInput } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Key } from '../../console/applications/application-dialogs.tsx'
import { IconButton } from '../../shared/icon-button.tsx'
import { Dialog, DialogButtons } from '../../shared/parts/dialog.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { addRedirectUri, removeRedirectUri } from '../api/redirect-uris.ts'
import classes from './redirect-uris.module.css'
import { UriText } from './uri-text.tsx'

export interface RedirectUrisDialogProps {
  apiKey: Key
  uris: readonly string[]
  onClose: () => void
}

/** Adds and removes redirect URIs of a key, one at a time; each change is saved at once. */
export function RedirectUrisDialog({ apiKey: { id, description: name }, uris, onClose }: RedirectUrisDialogProps) {
  const { t } = useTranslation('hub-redirect-uris')
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const adding = useAction(
    () => addRedirectUri(id, typed.trim()),
    ({ uri }) => t('added', { uri }),
  )
  const removing = useAction(
    (uri: string) => removeRedirectUri(id, uri),
    () => t('removed'),
  )
  const busy = adding.busy || removing.busy

  async function add(event: FormEvent) {
    event.preventDefault()
    setFailure(undefined)
    await adding.attempt(undefined).then(() => setTyped(''), setFailure)
  }

  async function remove(uri: string) {
    setFailure(undefined)
    await removing.attempt(uri).catch(setFailure)
  }

  return (
    <Dialog title={t('of', { name })} busy={busy} onClose={onClose} wide>
      <p>{t('rule')}</p>
      {uris.length === 0 ? (
        <p className={classes.none}>{t('none')}</p>
      ) : (
        <ul className={classes.rows}>
          {uris.map((uri) => (
            <li key={uri} className={classes.row}>
              <UriText uri={uri} />
              <IconButton icon={Trash2} label={t('removeOf', { uri })} onClick={() => void remove(uri)} />
            </li>
          ))}
        </ul>
      )}
      <form className={classes.add} onSubmit={add}>
        <TextInput
          label={t('another')}
          type="url"
          placeholder="https://app.example.com/callback"
          maxLength={2048}
          spellCheck={false}
          required
          autoFocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" loading={adding.busy} leftSection={<Plus size={16} aria-hidden="true" />}>
          {t('add')}
        </Button>
      </form>
      {failure !== undefined && <ProblemNote error={failure} />}
      <DialogButtons>
        <Button variant="default" disabled={busy} onClick={onClose}>
          {t('done')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
