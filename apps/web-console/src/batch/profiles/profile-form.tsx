import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { Save } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../../shared/api/field-errors.ts'
import { refusalCode } from '../../shared/api/request.ts'
import { useNotices } from '../../shared/parts/notices.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { type ProfileDraft, type ProfileSecrets, profileOptionsQuery } from '../api/profiles.ts'
import type { Profile } from '../api/types.ts'
import { ApprovalPanel } from './approval-panel.tsx'
import { BehaviourPanel } from './behaviour-panel.tsx'
import { CertificatePanel } from './certificate-panel.tsx'
import { ConflictNote } from './conflict-note.tsx'
import { EncryptionPanel } from './encryption-panel.tsx'
import { IdentityPanel } from './identity-panel.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { draftOf, isSameDraft } from './profile-draft.ts'
import classes from './profiles.module.css'
import { VisiblePanel } from './visible-panel.tsx'

interface ProfileFormProps {
  /** The stored profile; absent for a new one. */
  profile?: Profile
  /** The initial values of a new profile. */
  initial?: ProfileDraft
  save: (draft: ProfileDraft, secrets: ProfileSecrets, version: number) => Promise<Profile>
  /** Reads the stored profile again, after another operator saved it. */
  reload?: () => Promise<Profile>
  onSaved?: (profile: Profile) => void
}

/** Props of every panel of the form: the draft, a setter, and the service's field errors. */
export interface PanelProps {
  draft: ProfileDraft
  change: (changes: Partial<ProfileDraft>) => void
  errorOf: (field: keyof ProfileDraft | keyof ProfileSecrets | `approval.${string}`) => string | undefined
}

/** Creates or edits a profile, panel by panel, saved as a whole. */
export function ProfileForm({ profile, initial, save, reload, onSaved }: ProfileFormProps) {
  const { t } = useTranslation('batch-profiles')
  const queries = useQueryClient()
  const { done } = useNotices()
  // The state the form was opened with: a background refresh must neither overwrite it nor hide a conflict.
  const [base, setBase] = useState(() => ({
    draft: profile ? draftOf(profile) : initial!,
    version: profile?.version ?? 0,
  }))
  const [draft, setDraft] = useState(base.draft)
  const options = useQuery(profileOptionsQuery(useModuleTyped(draft)))
  const [secrets, setSecrets] = useState<ProfileSecrets>({})
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })
  const dirty = !isSameDraft(draft, base.draft) || Object.keys(secrets).length > 0
  const blocker = useBlocker({ shouldBlockFn: () => dirty, enableBeforeUnload: () => dirty, withResolver: true })

  function adopt(saved: Profile) {
    const next = draftOf(saved)
    setBase({ draft: next, version: saved.version })
    setDraft(next)
    setSecrets({})
    setState({ busy: false })
  }

  async function submit(version: number) {
    setState({ busy: true })
    try {
      const saved = await save(draft, secrets, version)
      adopt(saved)
      done(t('saved', { name: saved.name }))
      void queries.invalidateQueries()
      onSaved?.(saved)
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  const panel: PanelProps = {
    draft,
    change: (changes) => setDraft((before) => ({ ...before, ...changes })),
    errorOf: (field) => fieldErrors(state.failure, field),
  }

  return (
    <form
      className={classes.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void submit(base.version)
      }}
    >
      <IdentityPanel {...panel} isNew={!profile} options={options.data} />
      <BehaviourPanel {...panel} options={options.data} />
      <CertificatePanel
        {...panel}
        {...(profile && { stored: profile })}
        secrets={secrets}
        onSecrets={setSecrets}
        options={options.data}
      />
      <ApprovalPanel {...panel} options={options.data} />
      <VisiblePanel {...panel} />
      <EncryptionPanel {...panel} />
      {refusalCode(state.failure) === 'profile.changed-meanwhile' && reload ? (
        <ConflictNote
          onDiscard={async () => adopt(await reload())}
          onOverwrite={async () => submit((await reload()).version)}
        />
      ) : (
        state.failure !== undefined && <ProblemNote error={state.failure} />
      )}
      <div className={classes.saveBar}>
        <span className={classes.dirty} role="status">
          {dirty ? t('unsaved') : ''}
        </span>
        <Button variant="default" disabled={!dirty || state.busy} onClick={discard}>
          {t('discard')}
        </Button>
        <Button
          type="submit"
          loading={state.busy}
          disabled={!dirty}
          leftSection={<Save size={16} aria-hidden="true" />}
        >
          {t('save')}
        </Button>
      </div>
      {blocker.status === 'blocked' && <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />}
    </form>
  )

  function discard() {
    setDraft(base.draft)
    setSecrets({})
    setState({ busy: false })
  }
}

/** The tokens of a path are requested only after typing has paused. */
const TYPING_MS = 600

/** The PKCS#11 module in the form, whose tokens are offered. */
function useModuleTyped({ certificate }: ProfileDraft): string {
  const [module] = useDebouncedValue(certificate?.kind === 'Pkcs11' ? certificate.modulePath : '', TYPING_MS)
  return module
}
