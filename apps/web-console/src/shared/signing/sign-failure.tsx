import { TriangleAlert } from 'lucide-react'
import notes from '../parts/parts.module.css'
import { CertificateRejected } from './certificate-rejected.ts'
import { BrowserKeyFailure } from './key/browser-key.ts'
import { useProblem, useSigningTexts } from './signing-page.ts'

/** Why nothing was signed: the file, the certificate, or the service. */
export function SignFailure({ error }: { error: unknown }) {
  const texts = useSigningTexts()
  const Problem = useProblem()
  if (error instanceof BrowserKeyFailure) return <Note>{texts.keyFault[error.fault]}</Note>
  if (error instanceof CertificateRejected)
    return (
      <Note>
        {texts.rejected}
        {error.results?.errors.map(({ type, message, detail }) => (
          <span key={type + message} lang={error.language} style={{ display: 'block' }}>
            {message}
            {detail && ` (${detail})`}
          </span>
        ))}
      </Note>
    )
  return <Problem error={error} />
}

export function Note({ children }: { children: React.ReactNode }) {
  return (
    <div className={notes.problem} role="alert">
      <TriangleAlert size={20} aria-hidden="true" />
      <div className={notes.problemText}>{children}</div>
    </div>
  )
}
