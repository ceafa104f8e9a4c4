import { KeyRound, PenLine } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { fill } from '../i18n/fill.ts'
import { FilePicker } from '../parts/file-picker.tsx'
import { Button } from './button.tsx'
import { CertificateCard } from './certificate-card.tsx'
import { type BrowserKey, openBrowserKey } from './key/browser-key.ts'
import type { FileOffer, WantedCertificate } from './offers.ts'
import { PasswordField } from './password-field.tsx'
import { SignFailure } from './sign-failure.tsx'
import classes from './signing.module.css'
import { useSigningTexts } from './signing-page.ts'
import { useAttempt } from './use-attempt.ts'

interface FileWayProps {
  offer: FileOffer
  wanted: WantedCertificate
  onSigned: () => void
}

/** Signs with a certificate file, which is opened in the browser and never uploaded. */
export function FileWay({ offer, wanted, onSigned }: FileWayProps) {
  const texts = useSigningTexts()
  const [key, setKey] = useKey()
  return (
    <>
      <p className={classes.quiet}>{texts.file.hint}</p>
      {wanted.type && <p>{fill(texts.required, { type: wanted.type })}</p>}
      {key ? (
        <Opened browserKey={key} offer={offer} wanted={wanted} onSigned={onSigned} onOther={() => setKey(undefined)} />
      ) : (
        <OpenForm onKey={setKey} />
      )}
    </>
  )
}

/** What failed with this certificate is told beside it, and forgotten with it. */
function Opened(props: FileWayProps & { browserKey: BrowserKey; onOther: () => void }) {
  const { browserKey, offer, wanted, onSigned, onOther } = props
  const texts = useSigningTexts()
  const { busy, failure, attempt } = useAttempt()
  const sign = () =>
    attempt(async () => {
      await signWithKey(browserKey, offer)
      onSigned()
    })
  return (
    <>
      <CertificateCard certificate={browserKey.certificate} expected={wanted.cpf} />
      {failure !== undefined && <SignFailure error={failure} />}
      <Button busy={busy} icon={PenLine} onClick={() => void sign()}>
        {texts.file.sign}
      </Button>
      <Button look="plain" disabled={busy} onClick={onOther}>
        {texts.file.other}
      </Button>
    </>
  )
}

/** Sends the certificate, signs the hashes that come back, and sends the signatures. */
async function signWithKey(key: BrowserKey, offer: FileOffer): Promise<void> {
  const signatures: string[] = []
  const hashes = await offer.prepare(key.certificate.certificate)
  try {
    for (const { hash, digestAlgorithm } of hashes) signatures.push(await key.sign(hash, digestAlgorithm))
  } catch (error) {
    offer.failed?.()
    throw error
  }
  await offer.complete(signatures)
}

/** The opened key; closed when the page unmounts or another key replaces it. */
function useKey() {
  const [key, setKey] = useState<BrowserKey>()
  useEffect(() => () => key?.close(), [key])
  return [key, setKey] as const
}

function OpenForm({ onKey }: { onKey: (key: BrowserKey) => void }) {
  const texts = useSigningTexts()
  const [file, setFile] = useState<File>()
  const [password, setPassword] = useState('')
  const { busy, failure, attempt } = useAttempt()

  function open(event: FormEvent) {
    event.preventDefault()
    if (file) void attempt(async () => onKey(await openBrowserKey(file, password)))
  }

  return (
    <form className={classes.form} onSubmit={open}>
      <FilePicker
        label={texts.file.choose}
        accept=".pfx,.p12,application/x-pkcs12"
        pick={texts.file.pick}
        chosen={file?.name ?? texts.file.none}
        onFiles={([chosen]) => setFile(chosen)}
      />
      <PasswordField value={password} onChange={setPassword} />
      {failure !== undefined && <SignFailure error={failure} />}
      <Button type="submit" busy={busy} disabled={!file} icon={KeyRound}>
        {texts.file.open}
      </Button>
    </form>
  )
}
