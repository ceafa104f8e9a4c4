import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthenticatorSecret } from '../../shared/authenticator/authenticator-secret.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { beginSecondFactor, confirmSecondFactor } from '../api/session.ts'
import type { NewSecondFactor } from '../api/types.ts'
import { ProofDialog } from './proof-dialog.tsx'

export interface NewAppDialogProps {
  /** Whether another app is in force, which stays so until the new one is confirmed. */
  isOn: boolean
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}

/** Sets an authenticator app up: the proof, the secret to scan, and a code that shows that the app has it. */
export function NewAppDialog({ isOn, onConfirmed, onClose }: NewAppDialogProps) {
  const { t } = useTranslation('documents-account')
  const [made, setMade] = useState<NewSecondFactor>()
  if (made) return <ConfirmDialog made={made} onConfirmed={onConfirmed} onClose={onClose} />
  return (
    <ProofDialog
      title={t(isOn ? 'factor.another' : 'factor.setUp')}
      text={t(isOn ? 'factor.anotherText' : 'factor.proofText')}
      confirm={t('factor.next')}
      withCode={isOn}
      onProof={async (proof) => setMade(await beginSecondFactor(proof))}
      onClose={onClose}
    />
  )
}

function ConfirmDialog({
  made,
  onConfirmed,
  onClose,
}: { made: NewSecondFactor } & Pick<NewAppDialogProps, 'onConfirmed' | 'onClose'>) {
  const { t } = useTranslation('documents-account')
  const [code, setCode] = useState('')
  const codes = useRef<readonly string[]>(undefined)
  return (
    <FormDialog
      title={t('factor.scanTitle')}
      confirm={t('factor.confirm')}
      ready={/^\d{6}$/.test(code)}
      onSubmit={async () => {
        codes.current = (await confirmSecondFactor(code)).recoveryCodes
      }}
      // Called after the submission as well: the codes come next then.
      onClose={() => (codes.current ? onConfirmed(codes.current) : onClose())}
    >
      <AuthenticatorSecret {...made} />
      <TextInput
        label={t('factor.code')}
        description={t('factor.codeHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value.replace(/\s/g, ''))}
      />
    </FormDialog>
  )
}
