/** A problem that begins with its place: `/front/0/kind must be …` is of `content.front[0].kind`. */
export function templatePlace(reason: string, message: string): { readonly field: string; readonly text: string } {
  const [, place, text] = /^((?:\/[^\s/]+)+) (.+)$/s.exec(reason) ?? []
  if (place === undefined || text === undefined) return { field: 'content', text: message }
  return { field: `content${place.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.')}`, text }
}
