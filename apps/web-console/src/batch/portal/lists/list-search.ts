import { type PortalListName, portalLists } from '../api/portal-types.ts'

export interface ListSearch {
  list?: PortalListName
  /** A request to a cloud certificate that the visitor comes back from. */
  signing?: string
  /** Comes back from one that is not theirs, or over. */
  cloud?: 'unmatched'
}

/** What an address of the lists names; without a list it is what needs the caller. */
export function listFromSearch({ list, signing, cloud }: Record<string, unknown>): ListSearch {
  const known = portalLists.find((name) => name === list)
  return {
    ...(known && { list: known }),
    ...(typeof signing === 'string' && { signing }),
    ...(cloud === 'unmatched' && { cloud }),
  }
}
