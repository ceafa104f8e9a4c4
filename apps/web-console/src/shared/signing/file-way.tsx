import { Button, PasswordInput } from '@mantine/core'
import { KeyRound, PenLine } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileField } from '../parts/file-field.tsx'
import { CertificateCard } from './certificate-card.tsx'
import { type BrowserKey, openBrowserKey } from './key/browser-key.ts'
import type { FileOffer, WantedCertificate } from './offers.ts'
import { SignFailure } from './sign-failure.tsx'
import classes from './signing.module.css'
import { useAttempt } from './use-attempt.ts'

interface FileWayProps {
  offer: FileOffer
  wanted: WantedCertificate
  onSigned: () => void
}

/** Signs with a certificate file, which is opened in the browser and never uploaded. */
export function FileWay({ offer, wanted, onSigned }: FileWayProps) {
  const { t } = useTranslation('signing')
  const [key, setKey] = useKey()
  const { busy, failure, attempt } = useAttempt()
  const sign = () =>
    attempt(async () => {
      await signWithKey(key!, offer)
      onSigned()
    })
  return (
    <>
      <p className={classes.quiet}>{t('file.hint')}</p>
      {wanted.type && <p>{t('required', { type: wanted.type })}</p>}
      {key ? (
        <>
          <CertificateCard certificate={key.certificate} expected={wanted.cpf} />
          {failure !== undefined && <SignFailure error={failure} />}
          <Button loading={busy} leftSection={<PenLine size={16} aria-hidden="true" />} onClick={() => void sign()}>
            {t('file.sign')}
          </Button>
          <Button variant="subtle" disabled={busy} onClick={() => setKey(undefined)}>
            {t('file.other')}
          </Button>
        </>
      ) : (
        <OpenForm onKey={setKey} />
      )}
    </>
  )
}

/** Sends the certificate, signs the hashes that come back, and sends the signatures. */
async function signWithKey(key: BrowserKey, { prepare, complete }: FileOffer): Promise<void> {
  const signatures: string[] = []
  for (const { hash, digestAlgorithm } of await prepare(key.certificate.certificate))
    signatures.push(await key.sign(hash, digestAlgorithm))
  await complete(signatures)
}

/** The opened key; closed when the page unmounts or another key replaces it. */
function useKey() {
  const [key, setKey] = useState<BrowserKey>()
  useEffect(() => () => key?.close(), [key])
  return [key, setKey] as const
}

function OpenForm({ onKey }: { onKey: (key: BrowserKey) => void }) {
  const { t } = useTranslation('signing')
  const [file, setFile] = useState<File>()
  const [password, setPassword] = useState('')
  const { busy, failure, attempt } = useAttempt()

  function open(event: FormEvent) {
    event.preventDefault()
    if (file) void attempt(async () => onKey(await openBrowserKey(file, password)))
  }

  return (
    <form className={classes.form} onSubmit={open}>
      <FileField
        label={t('file.choose')}
        accept=".pfx,.p12,application/x-pkcs12"
        chosen={file?.name}
        onFiles={([chosen]) => setFile(chosen)}
      />
      <PasswordInput
        label={t('file.password')}
        // A password manager must not store the password of a key.
        autoComplete="off"
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t('file.showPassword') }}
      />
      {failure !== undefined && <SignFailure error={failure} />}
      <Button type="submit" loading={busy} disabled={!file} leftSection={<KeyRound size={16} aria-hidden="true" />}>
        {t('file.open')}
      </Button>
    </form>
  )
}
