import { type FormEvent, useEffect, useState } from 'react'
import { fill } from '../shared/i18n/fill.ts'
import { type BrowserKey, openBrowserKey } from '../shared/signing/key/browser-key.ts'
import { FileInput } from './file-input.tsx'
import { Problem } from './problem.tsx'
import classes from './signer.module.css'
import { useAttempt } from './use-attempt.ts'
import { useTexts } from './use-texts.ts'

/** How a certificate signs here, whichever way its key is reached. */
export interface Offer {
  /** Sends the certificate (DER, base64) and gets the hashes to sign. */
  prepare(certificate: string): Promise<readonly { readonly hash: string; readonly digestAlgorithm: string }[]>
  /** Sends their signatures, in the same order. */
  complete(signatures: readonly string[]): Promise<void>
}

/** Signs with a certificate file, which is opened in the browser and never sent. */
export function FileWay({ offer }: { offer: Offer }) {
  const texts = useTexts()
  const [key, setKey] = useState<BrowserKey>()
  useEffect(() => () => key?.close(), [key])
  const { busy, failure, attempt } = useAttempt()
  return (
    <>
      <p className={classes.quiet}>{texts.hint}</p>
      {key ? (
        <>
          <p className={classes.holder}>
            <span>{fill(texts.holder, { name: key.certificate.name })}</span>
            <span className={classes.quiet}>{fill(texts.issuer, { name: key.certificate.issuer })}</span>
          </p>
          {failure !== undefined && <Problem error={failure} />}
          <button
            type="button"
            className={classes.button}
            disabled={busy}
            onClick={() => void attempt(() => signWith(key, offer))}
          >
            {busy ? texts.busy : texts.signNow}
          </button>
          <button type="button" className={classes.link} disabled={busy} onClick={() => setKey(undefined)}>
            {texts.other}
          </button>
        </>
      ) : (
        <OpenForm onKey={setKey} />
      )}
    </>
  )
}

async function signWith(key: BrowserKey, { prepare, complete }: Offer): Promise<void> {
  const signatures: string[] = []
  for (const { hash, digestAlgorithm } of await prepare(key.certificate.certificate))
    signatures.push(await key.sign(hash, digestAlgorithm))
  await complete(signatures)
}

function OpenForm({ onKey }: { onKey: (key: BrowserKey) => void }) {
  const texts = useTexts()
  const [file, setFile] = useState<File>()
  const [password, setPassword] = useState('')
  const { busy, failure, attempt } = useAttempt()
  function open(event: FormEvent) {
    event.preventDefault()
    if (file) void attempt(async () => onKey(await openBrowserKey(file, password)))
  }
  return (
    <form className={classes.form} onSubmit={open}>
      <FileInput
        label={texts.file}
        accept=".pfx,.p12,application/x-pkcs12"
        chosen={file?.name}
        onFiles={([chosen]) => setFile(chosen)}
      />
      <label className={classes.field}>
        {texts.password}
        <input
          type="password"
          // A password manager must not store the password of a key.
          autoComplete="off"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </label>
      {failure !== undefined && <Problem error={failure} />}
      <button type="submit" className={classes.button} disabled={busy || !file}>
        {busy ? texts.busy : texts.open}
      </button>
    </form>
  )
}
