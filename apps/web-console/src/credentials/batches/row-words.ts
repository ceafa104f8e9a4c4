/** The layouts say what is wrong in English, and in Portuguese in brackets behind it. */
export function inLanguage(says: string, language: string): string {
  const at = openingOf(says)
  if (at === undefined) return says
  return language.startsWith('pt') ? says.slice(at + 1, -1) : says.slice(0, at).trimEnd()
}

/** Where the bracket opens that the last character closes. */
function openingOf(says: string): number | undefined {
  let depth = 0
  for (let at = says.length - 1; at > 0 && says.endsWith(')'); at--) {
    if (says[at] === ')') depth += 1
    if (says[at] === '(') depth -= 1
    if (depth === 0) return at
  }
  return undefined
}
