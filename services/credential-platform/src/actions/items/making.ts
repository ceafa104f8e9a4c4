// What the makings of all kinds share: codes that nobody has, and rows that are found.
import { isUniqueViolation } from '@chancela/service-kernel/store'

/** Most makings of one item: each finds a longer code, so that the second is the last in practice. */
const MOST_TRIES = 5

/** Makes an item whose code somebody else may take at the same moment: then it is made again, with a longer one. */
export async function untilCodeIsFree<T>(make: () => Promise<T>, isTakenNow: () => Promise<boolean>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await make()
    } catch (error) {
      if (attempt === MOST_TRIES || !isUniqueViolation(error) || !(await isTakenNow())) throw error
    }
}

/** What an item has that nobody has begun to sign. */
export const unsigned = { signer_document_id: null, signer_document_url: null, signing_error: null } as const
