import parts from '../../console/parts/parts.module.css'
import type { HubSession } from '../api/types.ts'

/** Whose a session is, as far as administrators see it. */
export function HolderText({
  of: { identifier, identifierType },
}: {
  of: Pick<HubSession, 'identifier' | 'identifierType'>
}) {
  if (!identifier) return '–'
  return (
    <span className={parts.nowrap}>
      {identifierType} {identifier}
    </span>
  )
}
