import { Note } from './sign-failure.tsx'
import { useSigningTexts } from './signing-page.ts'

/** How a signature with a cloud certificate ended that did not sign; one that is not known yet is a failure. */
export function CloudOutcomeNote({ outcome }: { outcome: string }) {
  const { outcome: known } = useSigningTexts().cloud
  if (outcome === 'signed') return null
  return <Note>{Object.hasOwn(known, outcome) ? known[outcome as keyof typeof known] : known.failed}</Note>
}
