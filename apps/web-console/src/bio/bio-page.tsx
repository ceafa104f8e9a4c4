import { Hourglass, Link2Off, ServerOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Seal } from '../shared/seal.tsx'
import classes from './bio.module.css'
import { type BioLanguage, bioLanguages } from './bio-texts.ts'
import { CaptureView } from './capture-view.tsx'
import { ConsentView } from './consent-view.tsx'
import { EndView } from './end-view.tsx'
import { Notice } from './notice.tsx'
import { type Shown, useSession } from './use-session.ts'
import { firstLanguage, LanguageContext, useTexts } from './use-texts.ts'

/** Where a person is captured: consent, movements before the camera, and the way back. */
export function BioPage() {
  const shown = useSession()
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    <LanguageContext value={language}>
      <div className={classes.page}>
        <Head language={language} onLanguage={setLanguage} />
        <main className={classes.main}>
          <Content {...shown} />
        </main>
      </div>
    </LanguageContext>
  )
}

function Head({ language, onLanguage }: { language: BioLanguage; onLanguage: (language: BioLanguage) => void }) {
  const texts = useTexts()
  return (
    <header className={classes.head}>
      <Seal size={32} />
      <p className={classes.brand}>
        <span translate="no">Chancela</span>
        <span className={classes.product}>{texts.product}</span>
      </p>
      <fieldset className={classes.languages}>
        <legend>{texts.language}</legend>
        {(Object.keys(bioLanguages) as BioLanguage[]).map((one) => (
          <button key={one} type="button" lang={one} aria-pressed={one === language} onClick={() => onLanguage(one)}>
            <span aria-hidden="true">{bioLanguages[one].short}</span>
            <span className={classes.hidden}>{bioLanguages[one].name}</span>
          </button>
        ))}
      </fieldset>
    </header>
  )
}

function Content({ answer, agree, abort, reload, send }: Shown) {
  const texts = useTexts()
  if (answer === undefined)
    return (
      <p className={classes.muted} role="status" aria-busy="true">
        {texts.loading}
      </p>
    )
  if (answer.kind === 'gone') return <Notice icon={Link2Off} {...texts.gone} />
  if (answer.kind !== 'session')
    return (
      <Notice icon={ServerOff} {...texts.unreachable}>
        <button type="button" className={classes.button} onClick={reload}>
          {texts.retry}
        </button>
      </Notice>
    )
  const { session } = answer
  if (session.state === 'Pending') return <ConsentView session={session} onAgree={agree} onRefuse={abort} />
  if (session.state === 'InProgress') return <CaptureView session={session} onFrame={send} onAbort={abort} />
  if (session.state === 'Expired') return <EndView session={session} icon={Hourglass} />
  return <EndView session={session} />
}
