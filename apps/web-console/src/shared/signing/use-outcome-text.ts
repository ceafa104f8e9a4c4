import { useSigningTexts } from './signing-page.ts'

/** What an outcome means; one that this page does not know yet is a failure. */
export function useOutcomeText(): (outcome: string) => string {
  const { outcome: known } = useSigningTexts()
  return (outcome) => (Object.hasOwn(known, outcome) ? known[outcome as keyof typeof known] : known.failed)
}
