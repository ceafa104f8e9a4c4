/** One event of the document platform names a hundred documents at most (spec 3 A). */
const MOST = 100

const idIn = (one: unknown): readonly string[] => {
  const id = (one as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' && id.length <= 64 ? [id.toLowerCase()] : []
}

/** The documents that an event of the document platform is about: one, or a list of them. */
export function toldDocuments(data: unknown): readonly string[] {
  const { documents } = (data ?? {}) as { documents?: unknown }
  const all = Array.isArray(documents) ? [data, ...documents.slice(0, MOST)] : [data]
  return [...new Set(all.flatMap(idIn))]
}
