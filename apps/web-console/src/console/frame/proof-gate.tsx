import { PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onProofAsked } from '../../shared/api/proof.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { freshSignIn, meQuery, proveSession } from '../api/session.ts'
import type { Me } from '../api/types.ts'
import { CodeField } from '../login/code-field.tsx'

/** Asks the administrator again who they are when the service wants it; the call that was refused is then repeated. */
export function ProofGate() {
  const [asked, setAsked] = useState<{ answer: (isProven: boolean) => void }>()
  useEffect(() => onProofAsked(() => new Promise((answer) => setAsked({ answer }))), [])
  const { data: me } = useQuery({ ...meQuery, enabled: asked !== undefined })
  if (!asked || !me) return null
  const close = (isProven: boolean) => {
    setAsked(undefined)
    asked.answer(isProven)
  }
  return me.way === 'oidc' ? <ProviderDialog onClose={() => close(false)} /> : <ProofDialog me={me} onClose={close} />
}

function ProofDialog({ me, onClose }: { me: Me; onClose: (isProven: boolean) => void }) {
  const { t } = useTranslation(['console-login', 'console'])
  const [typed, setTyped] = useState({ password: '', code: '' })
  const hasApp = me.secondFactor === 'on'

  async function submit() {
    const { password, code } = typed
    try {
      await proveSession({ password, ...(hasApp && { code }) })
    } catch (failure) {
      // A code can be used only once.
      setTyped({ password, code: '' })
      throw failure
    }
    onClose(true)
  }

  return (
    <FormDialog
      title={t('proof.title')}
      confirm={t('proof.confirm')}
      onSubmit={submit}
      // After a proof this is the second answer, which nobody waits for.
      onClose={() => onClose(false)}
    >
      <p>{t('proof.text')}</p>
      <PasswordInput
        label={t('password')}
        autoComplete="current-password"
        maxLength={200}
        required
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': t('console:showPassword') }}
        value={typed.password}
        onChange={({ currentTarget }) => setTyped({ ...typed, password: currentTarget.value })}
      />
      {hasApp && (
        <CodeField
          value={typed.code}
          description={t('factor.hint')}
          onChange={(code) => setTyped({ ...typed, code })}
        />
      )}
    </FormDialog>
  )
}

/** The identity provider asks in its own pages; the administrator comes back to this one. */
function ProviderDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('console-login')
  return (
    <ConfirmDialog
      title={t('proof.title')}
      confirm={t('proof.provider')}
      onConfirm={async () => location.assign(freshSignIn(location.pathname + location.search))}
      onClose={onClose}
    >
      {t('proof.providerText')}
    </ConfirmDialog>
  )
}
