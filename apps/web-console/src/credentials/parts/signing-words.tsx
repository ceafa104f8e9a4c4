import type { ReactNode } from 'react'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { SigningContext } from '../../shared/signing/signing-page.ts'

/** Signing in the language of the bundle, with its way to tell failures. */
export function SigningWords({ children }: { children: ReactNode }) {
  const { language } = useLanguage()
  return <SigningContext value={{ language, Problem: ProblemNote }}>{children}</SigningContext>
}
