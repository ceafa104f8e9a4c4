import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cpfDigits, isCpf } from '../../shared/format/cpf.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FileField } from '../../shared/parts/file-field.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { fileAsBase64 } from '../../shared/upload/file-as-base64.ts'
import { importCertificate, removeCertificate, replaceCertificate } from '../api/certificates.ts'
import type { Certificate, VaultFile } from '../api/types.ts'

/** Imports a PKCS#12 into the vault. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sessions-certificates')
  const { attempt } = useAction(importCertificate, ({ subjectName }) => t('imported', { name: subjectName }))
  return (
    <VaultFileDialog
      title={t('importTitle')}
      text={t('importText')}
      confirm={t('import')}
      onFile={attempt}
      onClose={onClose}
    />
  )
}

interface CertificateDialogProps {
  certificate: Certificate
  onClose: () => void
}

/** Replaces a PKCS#12 in the vault, for the same CPF. */
export function ReplaceDialog({ certificate: { id, cpf, subjectName }, onClose }: CertificateDialogProps) {
  const { t } = useTranslation('sessions-certificates')
  const { attempt } = useAction(
    (file: VaultFile) => replaceCertificate(id, file),
    (now) => t('replaced', { name: now.subjectName }),
  )
  return (
    <VaultFileDialog
      title={t('replaceTitle', { name: subjectName })}
      text={t('replaceText')}
      confirm={t('replace')}
      cpf={cpf}
      onFile={attempt}
      onClose={onClose}
    />
  )
}

export function RemoveDialog({ certificate: { id, subjectName: name }, onClose }: CertificateDialogProps) {
  const { t } = useTranslation('sessions-certificates')
  const { attempt } = useAction(
    () => removeCertificate(id),
    () => t('removed', { name }),
  )
  return (
    <ConfirmDialog
      title={t('removeTitle', { name })}
      confirm={t('remove')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('removeText')}
    </ConfirmDialog>
  )
}

interface VaultFileDialogProps {
  title: string
  text: string
  confirm: string
  /** The holder's CPF; asked for when absent. */
  cpf?: string
  onFile: (file: VaultFile) => Promise<unknown>
  onClose: () => void
}

function VaultFileDialog({ title, text, confirm, cpf, onFile, onClose }: VaultFileDialogProps) {
  const { t } = useTranslation(['sessions-certificates', 'sessions'])
  const [file, setFile] = useState<File>()
  const [pin, setPin] = useState('')
  const [typedCpf, setTypedCpf] = useState('')
  const [cpfIsTyped, setCpfIsTyped] = useState(false)
  const cpfIsWrong = typedCpf.trim() !== '' && !isCpf(typedCpf)

  const submit = async () => onFile({ file: await fileAsBase64(file!), pin, cpf: cpf ?? (cpfDigits(typedCpf) || null) })

  return (
    <FormDialog
      title={title}
      confirm={confirm}
      ready={file !== undefined && !cpfIsWrong}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{text}</p>
      <FileField
        label={t('file')}
        accept=".p12,.pfx,application/x-pkcs12"
        chosen={file?.name}
        onFiles={([chosen]) => setFile(chosen)}
      />
      <PasswordInput
        label={t('pin')}
        maxLength={256}
        required
        // Not a password of this site: a browser that saves it would save the holder's PIN.
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('showPin') }}
        value={pin}
        onChange={({ currentTarget }) => setPin(currentTarget.value)}
      />
      {cpf === undefined && (
        <TextInput
          label={t('sessions:cpf')}
          description={t('cpfHint')}
          inputMode="numeric"
          maxLength={20}
          error={cpfIsTyped && cpfIsWrong && t('sessions:wrongCpf')}
          onBlur={() => setCpfIsTyped(true)}
          value={typedCpf}
          onChange={({ currentTarget }) => setTypedCpf(currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}
