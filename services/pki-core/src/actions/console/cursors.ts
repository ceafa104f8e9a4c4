import { readCursor } from '@chancela/admin-console'
import type { After } from '../../store/console-lists.ts'

/** Where a page of a list by time begins. */
export function afterOf(cursor: string | undefined): After | undefined {
  if (cursor === undefined) return undefined
  const [createdAt, id] = readCursor(cursor, 2)
  return { createdAt: createdAt!, id: id! }
}

export const keysOf = ({ created_at, id }: { readonly created_at: string; readonly id: string }): readonly string[] => [
  created_at,
  id,
]
