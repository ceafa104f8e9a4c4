import { queryTypes, statusFilters } from '../api/types.ts'

/** Filters of the list, as in the URL. */
export interface DocumentFilters {
  /** Id of a folder, or `none` for documents outside any. */
  readonly folder?: string
  readonly status?: (typeof statusFilters)[number]
  readonly q?: string
  /** Where `q` is looked for; in names when absent. */
  readonly by?: (typeof queryTypes)[number]
  /** Name of a participant, or a CPF or e-mail address. */
  readonly participant?: string
  readonly page?: number
}

export const WITHOUT_FOLDER = 'none'

export const DOCUMENTS_PER_PAGE = 20

/** Reads the filters from the URL; unknown values are dropped. */
export function filtersFromSearch(search: Record<string, unknown>): DocumentFilters {
  const text = (name: string) => (typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined)
  const [folder, q, participant] = ['folder', 'q', 'participant'].map(text)
  const status = statusFilters.find((one) => one === search.status)
  const by = queryTypes.find((one) => one === search.by)
  const page = Number(search.page)
  return {
    ...(folder && { folder }),
    ...(status && { status }),
    ...(q && { q }),
    ...(by && by !== 'Name' && { by }),
    ...(participant && { participant }),
    ...(Number.isInteger(page) && page > 1 && { page }),
  }
}

/** Whether any filter but the folder is set. */
export const isNarrowed = ({ status, q, participant }: DocumentFilters): boolean =>
  status !== undefined || q !== undefined || participant !== undefined

/** The query string: requests one document more than is shown, to know whether there is a next page. */
export function listQuery({ folder, status, q, by, participant, page = 1 }: DocumentFilters): URLSearchParams {
  return new URLSearchParams({
    limit: String(DOCUMENTS_PER_PAGE + 1),
    offset: String((page - 1) * DOCUMENTS_PER_PAGE),
    ...(folder === WITHOUT_FOLDER ? { folderType: 'WithoutFolder' } : folder && { folderId: folder }),
    ...(status && { status }),
    ...(q && { q, queryType: by ?? 'Name' }),
    ...(participant && { participantQ: participant, participantQueryType: participantKind(participant) }),
  })
}

/** Whether a text is an e-mail address, an identifier or a name. */
function participantKind(text: string): 'Email' | 'Identifier' | 'Name' {
  if (text.includes('@')) return 'Email'
  return /^[\d.\-\s]{3,}$/.test(text) ? 'Identifier' : 'Name'
}
