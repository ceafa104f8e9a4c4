import { type PortalListName, portalLists } from '../api/portal-types.ts'

/** The list that an address names; without one it is what needs the caller. */
export function listFromSearch({ list }: Record<string, unknown>): { list?: PortalListName } {
  const known = portalLists.find((name) => name === list)
  return known ? { list: known } : {}
}
