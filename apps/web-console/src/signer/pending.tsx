import { useState } from 'react'
import { fill } from '../shared/i18n/fill.ts'
import { FilePicker } from '../shared/parts/file-picker.tsx'
import { useAttempt } from '../shared/signing/use-attempt.ts'
import { DocumentList } from './document-list.tsx'
import { Problem } from './problem.tsx'
import { bringDocument, cancelSession, type Session } from './session-api.ts'
import { Sign } from './sign.tsx'
import classes from './signer.module.css'
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
          <Sign session={session} onEnd={onEnd} />
        </>
      )}
      <GiveUp onEnd={onEnd} />
    </>
  )
}

function Bring({ onChange }: { onChange: (session: Session) => void }) {
  const texts = useTexts()
  const { busy, failure, attempt } = useAttempt()
  const bring = (files: readonly File[]) =>
    attempt(async () => {
      for (const file of files) onChange(await bringDocument(file))
    })
  return (
    <>
      <FilePicker
        label={texts.bring}
        pick={texts.choose}
        multiple
        disabled={busy}
        onFiles={(files) => void bring(files)}
      />
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
