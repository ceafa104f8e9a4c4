import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import notes from '../parts/parts.module.css'
import { ProblemNote } from '../parts/problem-note.tsx'
import { CertificateRejected } from './certificate-rejected.ts'
import { BrowserKeyFailure } from './key/browser-key.ts'

/** Why nothing was signed: the file, the certificate, or the service. */
export function SignFailure({ error }: { error: unknown }) {
  const { t } = useTranslation('signing')
  if (error instanceof BrowserKeyFailure) return <Note>{t(`keyFault.${error.fault}`)}</Note>
  if (error instanceof CertificateRejected)
    return (
      <Note>
        {t('rejected')}
        {error.results?.errors.map(({ type, message, detail }) => (
          <span key={type + message} lang="en" style={{ display: 'block' }}>
            {message}
            {detail && ` (${detail})`}
          </span>
        ))}
      </Note>
    )
  return <ProblemNote error={error} />
}

export function Note({ children }: { children: React.ReactNode }) {
  return (
    <div className={notes.problem} role="alert">
      <TriangleAlert size={20} aria-hidden="true" />
      <div className={notes.problemText}>{children}</div>
    </div>
  )
}
