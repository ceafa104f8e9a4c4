import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProofDialog, useProofAsked } from '../../shared/authenticator/proof-dialog.tsx'
import { meQuery, proveSession } from '../api/session.ts'

/** Asks again who is signed in when the service wants it; the call that was refused is then repeated. */
export function ProofGate() {
  const { t } = useTranslation('credentials-login')
  const answer = useProofAsked()
  const { data: me } = useQuery({ ...meQuery, enabled: answer !== undefined })
  if (!answer || !me) return null
  const texts = {
    title: t('proof.title'),
    text: t('proof.text'),
    confirm: t('proof.confirm'),
    password: t('password'),
    showPassword: t('showPassword'),
    code: t('code'),
    codeHint: t('factor.hint'),
  }
  return <ProofDialog texts={texts} withCode={me.secondFactor === 'on'} onProof={proveSession} onClose={answer} />
}
