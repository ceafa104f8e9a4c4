// The document platform tells of a document: it is read again, whatever it was told to have become.
import type { Context } from '../../context.ts'
import type { SigningDesk } from '../../parts/signing/desk.ts'
import type { Caller } from '../../rules/rights.ts'
import { toldDocuments } from '../../rules/told-documents.ts'
import { sentAs } from '../../store/platform-documents.ts'

interface Dependencies {
  readonly context: Context
  readonly desk: SigningDesk
}

/** Documents that nobody waits for, or that another organization does, are none of the caller's. */
export async function hearPlatform(
  { context: { store }, desk }: Dependencies,
  { subscriptionId }: Caller,
  { data }: { readonly data?: unknown },
  now: Date,
): Promise<void> {
  const told = toldDocuments(data)
  if (told.length === 0) return
  await store.transaction(async (tx) => {
    await desk.queuePlatform(tx, await sentAs(tx, subscriptionId, told), now)
  })
}
