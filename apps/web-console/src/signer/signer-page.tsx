import { CircleCheck, CircleSlash, Hourglass, type LucideIcon, TriangleAlert, Undo2 } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { CardPage } from '../shared/card-page/card-page.tsx'
import { fill } from '../shared/i18n/fill.ts'
import { type ThreeLanguage, threeLanguages } from '../shared/i18n/languages.ts'
import { remember } from '../shared/i18n/remembered-language.ts'
import { Note } from '../shared/signing/sign-failure.tsx'
import { SigningContext } from '../shared/signing/signing-page.ts'
import { DocumentList } from './document-list.tsx'
import { Pending } from './pending.tsx'
import { Problem } from './problem.tsx'
import { cloudOutcome, readSession, type Session } from './session-api.ts'
import classes from './signer.module.css'
import { firstLanguage, LanguageContext, useTexts } from './use-texts.ts'

/** Where a person signs the documents of a session. */
export function SignerPage() {
  const [language, setLanguage] = useState(firstLanguage)
  // Before the first call, which asks for answers in this language.
  document.documentElement.lang = language
  function speak(next: ThreeLanguage) {
    remember(next)
    setLanguage(next)
  }
  return (
    <LanguageContext value={language}>
      <SigningContext value={{ language, Problem }}>
        <Card language={language} onLanguage={speak}>
          <Content />
        </Card>
      </SigningContext>
    </LanguageContext>
  )
}

interface CardProps {
  language: ThreeLanguage
  onLanguage: (language: ThreeLanguage) => void
  children: ReactNode
}

function Card(props: CardProps) {
  const texts = useTexts()
  return <CardPage product={texts.product} label={texts.language} languages={threeLanguages} wide {...props} />
}

const LOOK_EVERY_MS = 3000

function Content() {
  const texts = useTexts()
  const [session, setSession] = useState<Session>()
  const [failure, setFailure] = useState<unknown>()
  const read = useCallback(() => {
    setFailure(undefined)
    readSession().then((next) => setSession((before) => (before?.status === next.status ? before : next)), setFailure)
  }, [])
  useEffect(read, [read])
  const cloud = cloudOutcome()
  // Another return from the provider signs, or the documents are made in the background.
  const isProcessing = session?.status === 'Processing' || (session?.status === 'Pending' && cloud === 'under-way')
  useEffect(() => {
    if (!isProcessing) return
    const timer = setInterval(read, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [isProcessing, read])
  useEffect(() => {
    document.title = session ? `${session.application} · ${texts.product}` : texts.product
  }, [session, texts])

  const isBack = cloud === 'signed' && session !== undefined && session.status !== 'Pending'
  useEffect(() => {
    if (isBack) leave(session)
  }, [isBack, session])

  function end(ended: Session) {
    setSession(ended)
    leave(ended)
  }

  if (cloud === 'elsewhere')
    return (
      <>
        <h1>{texts.title}</h1>
        <Note>{texts.elsewhere}</Note>
      </>
    )
  if (session?.status === 'Pending') return <Pending session={session} onChange={setSession} onEnd={end} />
  if (session) return <Ended session={session} onChange={setSession} />
  if (failure !== undefined)
    return (
      <>
        <h1>{texts.title}</h1>
        <Problem error={failure} />
        <button type="button" className={classes.link} onClick={read}>
          {texts.retry}
        </button>
      </>
    )
  return <p role="status">{texts.loading}</p>
}

/** Whoever has nothing to fetch here returns at once; a window of its own closes itself. */
function leave({ returnUrl, documents }: Session): void {
  if (documents.some(({ isSignedAvailable }) => isSignedAvailable)) return
  if (returnUrl) location.replace(returnUrl)
  else window.close()
}

type EndedStatus = Exclude<Session['status'], 'Pending'>

const icons: Readonly<Record<EndedStatus, LucideIcon>> = {
  Processing: Hourglass,
  Completed: CircleCheck,
  UserCancelled: CircleSlash,
  Expired: Hourglass,
  ProcessingError: TriangleAlert,
}

function Ended({ session, onChange }: { session: Session; onChange: (session: Session) => void }) {
  const texts = useTexts()
  const status = session.status as EndedStatus
  const Icon = icons[status]
  return (
    <>
      <div className={classes.ended} role="status">
        <Icon size={28} aria-hidden="true" />
        <h1>{texts.state[status]}</h1>
      </div>
      {status === 'Completed' && <DocumentList session={session} onChange={onChange} />}
      {session.returnUrl ? (
        <a className={classes.button} href={session.returnUrl} rel="noreferrer">
          <Undo2 size={16} aria-hidden="true" /> {fill(texts.back, { application: session.application })}
        </a>
      ) : (
        <p className={classes.quiet}>{texts.close}</p>
      )}
    </>
  )
}
