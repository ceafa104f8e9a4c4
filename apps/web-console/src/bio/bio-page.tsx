import { Hourglass, Link2Off, ServerOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { CardPage } from '../shared/card-page/card-page.tsx'
import { type ThreeLanguage, threeLanguages } from '../shared/i18n/languages.ts'
import classes from './bio.module.css'
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
      <Card language={language} onLanguage={setLanguage}>
        <Content {...shown} />
      </Card>
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
  return <CardPage product={texts.product} label={texts.language} languages={threeLanguages} {...props} />
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
