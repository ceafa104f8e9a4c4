import { useState } from 'react'
import { fill } from '../shared/i18n/fill.ts'
import { DocumentList } from './document-list.tsx'
import { FileInput } from './file-input.tsx'
import { FileWay, type Offer } from './file-way.tsx'
import { Problem } from './problem.tsx'
import {
  bringDocument,
  cancelSession,
  type Prepared,
  type Session,
  SessionProblem,
  setCertificate,
  submitSignatures,
} from './session-api.ts'
import classes from './signer.module.css'
import { useAttempt } from './use-attempt.ts'
import { useTexts } from './use-texts.ts'

interface PendingProps {
  session: Session
  onChange: (session: Session) => void
  /** The person has signed, or given up. */
  onEnd: (session: Session) => void
}

/** Who asks, what is to be signed, and how. */
export function Pending({ session, onChange, onEnd }: PendingProps) {
  const texts = useTexts()
  const { application, organization, certificateRequirements, documents } = session
  return (
    <>
      <h1>{texts.title}</h1>
      <p className={classes.asks}>{fill(texts.asks, { application, organization })}</p>
      {certificateRequirements.map(({ type, argument }) => (
        <p key={type}>{fill(texts.requirement[type], { argument: argument ?? '' })}</p>
      ))}
      <h2>{texts.documents}</h2>
      {documents.length === 0 && <p className={classes.quiet}>{texts.noDocuments}</p>}
      <DocumentList session={session} onChange={onChange} />
      {session.acceptsUploads && <Bring onChange={onChange} />}
      {documents.length > 0 && (
        <>
          <h2>{texts.sign}</h2>
          <FileWay offer={offerOf(onEnd)} />
        </>
      )}
      <GiveUp onEnd={onEnd} />
    </>
  )
}

/** What signs is all documents of the session, in one round. */
function offerOf(onEnd: (session: Session) => void): Offer {
  let prepared: Prepared | undefined
  return {
    async prepare(certificate) {
      prepared = await setCertificate(certificate)
      if (!prepared.success) throw rejected(prepared)
      return prepared.documents.map(({ toSignHash }) => ({ hash: toSignHash.value, digestAlgorithm: 'SHA-256' }))
    },
    async complete(signatures) {
      const { state, documents } = prepared!
      const given = documents.map(({ id }, index) => ({ documentId: id, signature: signatures[index]! }))
      onEnd(await submitSignatures(state!, given))
    },
  }
}

const rejected = ({ failure, validationResults }: Prepared): SessionProblem =>
  new SessionProblem(
    failure ?? 'CertificateValidationFailed',
    validationResults.errors.map(({ message }) => message),
  )

function Bring({ onChange }: { onChange: (session: Session) => void }) {
  const texts = useTexts()
  const { busy, failure, attempt } = useAttempt()
  const bring = (files: readonly File[]) =>
    attempt(async () => {
      for (const file of files) onChange(await bringDocument(file))
    })
  return (
    <>
      <FileInput label={texts.bring} multiple disabled={busy} onFiles={(files) => void bring(files)} />
      {failure !== undefined && <Problem error={failure} />}
    </>
  )
}

function GiveUp({ onEnd }: { onEnd: (session: Session) => void }) {
  const texts = useTexts()
  const [asks, setAsks] = useState(false)
  const { busy, failure, attempt } = useAttempt()
  if (!asks)
    return (
      <button type="button" className={classes.link} onClick={() => setAsks(true)}>
        {texts.cancel}
      </button>
    )
  return (
    <div className={classes.confirm} role="alert">
      <p>{texts.cancelAsk}</p>
      {failure !== undefined && <Problem error={failure} />}
      <button
        type="button"
        className={classes.button}
        disabled={busy}
        onClick={() => void attempt(async () => onEnd(await cancelSession()))}
      >
        {texts.cancelYes}
      </button>
      <button type="button" className={classes.link} disabled={busy} onClick={() => setAsks(false)}>
        {texts.cancelNo}
      </button>
    </div>
  )
}
