import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { setCertificatePin } from '../api/certificates.ts'
import type { Certificate, HolderPin } from '../api/types.ts'

/** Sets the PIN of a holder on an HSM partition, or proves that of a token that is the holder's own. */
export function PinDialog({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const { t } = useTranslation('sessions-certificates')
  const { id, subjectName: name, pin: whose } = certificate
  const [pin, setPin] = useState('')
  const isTokens = whose === 'token'
  const { attempt } = useAction(
    (body: HolderPin) => setCertificatePin(id, body),
    () => t(isTokens ? 'pinProved' : 'pinWasSet', { name }),
  )
  return (
    <FormDialog
      title={t(isTokens ? 'provePinTitle' : 'setPinTitle', { name })}
      confirm={t(isTokens ? 'provePin' : 'setPin')}
      ready={pin.length >= 4}
      onSubmit={() => attempt({ pin })}
      onClose={onClose}
    >
      <p>{t(isTokens ? 'provePinText' : 'setPinText')}</p>
      <PasswordInput
        label={t(isTokens ? 'tokenPin' : 'holderPin')}
        description={t('pinLength')}
        maxLength={256}
        required
        // Not a password of this site: a browser that saves it would save the holder's PIN.
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('showPin') }}
        value={pin}
        onChange={({ currentTarget }) => setPin(currentTarget.value)}
      />
    </FormDialog>
  )
}
