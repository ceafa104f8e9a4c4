import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import notes from '../../shared/parts/parts.module.css'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { BrowserKeyFailure } from './key/browser-key.ts'
import { CertificateRejected } from './sign-with-key.ts'

/** Why nothing was signed: the file, the certificate, or the service. */
export function SignFailure({ error }: { error: unknown }) {
  const { t } = useTranslation('documents-participant')
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
