// What the service says of a field, in the visitor's language: it says a problem of the layout in both, English first.

const BOTH = /^(.+?[.:!?]) \((.+)\)$/s

/** The sentence in a language; one that is said in one language only, as it is. */
export function sentenceIn(language: string, says: string): string {
  const both = BOTH.exec(says)
  if (!both) return says
  return (language === 'pt-BR' ? both[2] : both[1])!
}

/** Whether a problem is that a value is not as expected: the form says what is, in the visitor's language. */
export const isOfExpectation = (says: string): boolean => /\b[Ee]xpected: /.test(says)

/** Whether it is that none of several was filled in. */
export const isOfChoice = (says: string): boolean => /^In .+, one of these is missing: /.test(says)

/** Whether it is that something is not there. */
export const isOfAbsence = (says: string): boolean => /^The (?:field|attribute) .+ is missing\./.test(says)
