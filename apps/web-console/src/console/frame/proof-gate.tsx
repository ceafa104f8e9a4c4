import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasPasskeys } from '../../shared/authenticator/browser-passkeys.ts'
import { ProofDialog, useProofAsked } from '../../shared/authenticator/proof-dialog.tsx'
import { ProviderDialog } from '../../shared/authenticator/provider-dialog.tsx'
import { proveWithPasskey } from '../api/passkeys.ts'
import { freshSignIn, meQuery, proveSession } from '../api/session.ts'

/** Asks the administrator again who they are when the service wants it; the call that was refused is then repeated. */
export function ProofGate() {
  const { t } = useTranslation(['console-login', 'console', 'console-passkeys'])
  const answer = useProofAsked()
  const { data: me } = useQuery({ ...meQuery, enabled: answer !== undefined })
  if (!answer || !me) return null
  if (me.way === 'oidc') {
    const texts = { title: t('proof.title'), text: t('proof.providerText'), confirm: t('proof.provider') }
    const address = freshSignIn(location.pathname + location.search)
    return <ProviderDialog texts={texts} address={address} onClose={() => answer(false)} />
  }
  const texts = {
    title: t('proof.title'),
    text: t('proof.text'),
    confirm: t('proof.confirm'),
    password: t('password'),
    showPassword: t('console:showPassword'),
    code: t('code'),
    codeHint: t('codeHint'),
    passkey: t('console-passkeys:use'),
  }
  const isByPasskey = me.factors.includes('passkey') && hasPasskeys()
  return (
    <ProofDialog
      texts={texts}
      withCode={me.secondFactor === 'on'}
      onProof={proveSession}
      {...(isByPasskey && { onPasskey: proveWithPasskey })}
      onClose={answer}
    />
  )
}
