import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProofDialog, useProofAsked } from '../../shared/authenticator/proof-dialog.tsx'
import { ProviderDialog } from '../../shared/authenticator/provider-dialog.tsx'
import { freshSignIn, meQuery, proveSession } from '../api/session.ts'

/** Asks again who is signed in when the service wants it; the call that was refused is then repeated. */
export function ProofGate() {
  const { t } = useTranslation(['documents-login', 'documents'])
  const answer = useProofAsked()
  const { data: me } = useQuery({ ...meQuery, enabled: answer !== undefined })
  if (!answer || !me) return null
  const title = t('proof.title')
  if (me.way === 'oidc') {
    const texts = { title, text: t('proof.providerText'), confirm: t('proof.provider') }
    const address = freshSignIn(location.pathname + location.search)
    return <ProviderDialog texts={texts} address={address} onClose={() => answer(false)} />
  }
  const texts = {
    title,
    text: t('proof.text'),
    confirm: t('proof.confirm'),
    password: t('password'),
    showPassword: t('showPassword'),
    code: t('documents:code'),
    codeHint: t('documents:codeHint'),
  }
  return <ProofDialog texts={texts} withCode={me.secondFactor === 'on'} onProof={proveSession} onClose={answer} />
}
