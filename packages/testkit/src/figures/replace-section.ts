/**
 * Replaces the text between two marks of a document: `<!-- name -->` begins it and `<!-- /name -->` ends it. The text
 * around it stays.
 */
export function replaceSection(document: string, name: string, text: string): string {
  const begin = `<!-- ${name} -->`
  const end = `<!-- /${name} -->`
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from === -1 || to < from) throw new Error(`The document has no section ${name}.`)
  return `${document.slice(0, from + begin.length)}\n${text}\n${document.slice(to)}`
}
